# Rotated by 90 degrees: to be shown upright at 180x320.
ff -i "$(fixture base.mp4)" -map 0:v -c copy "${exact[@]}" -metadata:s:v rotate=90 -t 2 -f mp4 "$out"
