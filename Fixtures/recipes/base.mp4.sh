# 10 s, 30 frames/s, closed groups of 30, B-frames; a beep at each second; index in front.
ff -f lavfi -i "$(picture 320x180 30 10)" -f lavfi -i "$(beeps 880 10)" $(x264 30) -c:a aac -b:a 96k "${exact[@]}" \
  -movflags +faststart -f mp4 "$out"
