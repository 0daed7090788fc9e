# 1080p with one key frame in 250 frames (10 s).
ff -f lavfi -i "$(picture 1920x1080 25 10)" $(x264 250) "${exact[@]}" -movflags +faststart -f mp4 "$out"
