# The same media as far-apart.mp4, interleaved.
ff -i "$(fixture far-apart.mp4)" -map 0 -c copy "${exact[@]}" -movflags +faststart -f mp4 "$out"
