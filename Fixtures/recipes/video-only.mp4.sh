ff -i "$(fixture base.mp4)" -map 0:v -c copy "${exact[@]}" -f mp4 "$out"
