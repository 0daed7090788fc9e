# The sound ends after 6 of 10 s.
ff -i "$(fixture base.mp4)" -t 6 -i "$(fixture base.mp4)" -map 0:v -map 1:a -c copy "${exact[@]}" -movflags +faststart -f mp4 "$out"
