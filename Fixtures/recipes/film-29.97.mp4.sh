# 30000/1001 frames/s and 44.1 kHz: neither divides a second (case P099).
ff -f lavfi -i "$(picture 320x180 30000/1001 10)" -f lavfi -i "$(beeps 880 10 44100)" $(x264 60 bframes=2) -c:a aac -b:a 96k \
  "${exact[@]}" -f mp4 "$out"
