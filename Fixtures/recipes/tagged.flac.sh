# Vorbis comments.
ff -f lavfi -i "$(tone 440 5 44100 2)" -c:a flac -fflags +bitexact -threads 1 -metadata title="A Tagged Tone" \
  -metadata artist="The Oscillators" -metadata album="Sines" -metadata date=2024 -metadata track=3 -f flac "$out"
