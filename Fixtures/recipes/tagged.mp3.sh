# ID3v2.3 tags and a cover.
ff -f lavfi -i "color=c=red:size=64x64:duration=1:rate=1" -frames:v 1 -c:v png -f image2pipe - >"$out.png"
ff -f lavfi -i "$(tone 440 5 44100 2)" -i "$out.png" -map 0 -map 1 -c:a libmp3lame -b:a 96k -c:v copy \
  -fflags +bitexact -threads 1 -id3v2_version 3 -metadata title="A Tagged Tone" -metadata artist="The Oscillators" \
  -metadata album="Sines" -metadata genre=Test -metadata date=2024 -metadata track=3/9 \
  -metadata:s:v title="Album cover" -metadata:s:v comment="Cover (front)" -f mp3 "$out"
rm "$out.png"
