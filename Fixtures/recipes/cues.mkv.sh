ff -i "$(fixture base.mp4)" -map 0 -c copy "${exact[@]}" -f matroska "$out"
