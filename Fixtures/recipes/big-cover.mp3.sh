# A cover of some 5 MB before two seconds of sound: noise does not compress.
ff -f lavfi -i "nullsrc=size=2000x1750:rate=1:duration=1,geq=r='random(1)*255':g='random(2)*255':b='random(3)*255'" \
  -frames:v 1 -c:v png -f image2pipe - >"$out.png"
ff -f lavfi -i "$(tone 440 2 44100 2)" -i "$out.png" -map 0 -map 1 -c:a libmp3lame -b:a 96k -c:v copy -fflags +bitexact \
  -threads 1 -id3v2_version 3 -metadata title="Behind a cover" -f mp3 "$out"
rm "$out.png"
