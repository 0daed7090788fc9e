# One key frame in 1,800 frames (60 s).
ff -f lavfi -i "$(picture 320x180 30 60)" -f lavfi -i "$(beeps 880 60)" $(x264 1800) -c:a aac -b:a 64k "${exact[@]}" \
  -movflags +faststart -f mp4 "$out"
