# base.mp4 with the index at the end.
ff -i "$(fixture base.mp4)" -map 0 -c copy "${exact[@]}" -f mp4 "$out"
