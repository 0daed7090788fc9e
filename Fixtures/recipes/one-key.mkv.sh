# 20 s with a single key frame.
ff -f lavfi -i "$(picture 160x90 10 20)" -f lavfi -i "$(tone 440 20)" $(x264 9999) -c:a aac -b:a 64k "${exact[@]}" \
  -f matroska "$out"
