# A film of one frame (a 30th of a second).
ff -f lavfi -i "$(picture 320x180 30 1)" -frames:v 1 $(x264 30) "${exact[@]}" -f mp4 "$out"
