# 60 s, 30 frames/s, each picture with its number; the sound numbers its samples (SoundFeeder.number), uncompressed.
ff -f lavfi -i "$(picture 320x180 30 60)" \
  -f lavfi -i "aevalsrc='0.25+mod(n\,48000)/96000|0.25+floor(n/48000)/128':s=48000:d=60" \
  $(x264 30) -c:a pcm_s24le "${exact[@]}" -f mov "$out"
