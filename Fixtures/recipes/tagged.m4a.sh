# iTunes tags, a cover and three chapters.
ff -f lavfi -i "color=c=red:size=64x64:duration=1:rate=1" -frames:v 1 -c:v png -f image2pipe - >"$out.png"
cat >"$out.txt" <<'M'
;FFMETADATA1
title=A Tagged Tone
artist=The Oscillators
album=Sines
album_artist=Various
composer=J. Fourier
genre=Test
date=2024
track=3/9
comment=Ümläut and 日本語
copyright=none
[CHAPTER]
TIMEBASE=1/1000
START=0
END=2000
title=One
[CHAPTER]
TIMEBASE=1/1000
START=2000
END=4000
title=Zwei
[CHAPTER]
TIMEBASE=1/1000
START=4000
END=5000
title=三
M
ff -f lavfi -i "$(tone 440 5 44100 2)" -i "$out.png" -i "$out.txt" -map 0 -map 1 -c:a aac -c:v copy \
  -disposition:v:0 attached_pic -fflags +bitexact -threads 1 -map_metadata 2 -map_chapters 2 -f ipod "$out"
rm "$out.png" "$out.txt"
