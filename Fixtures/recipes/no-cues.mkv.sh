# Matroska as a pipe writes it: no cues, no duration.
ff -i "$(fixture base.mp4)" -map 0 -c copy "${exact[@]}" -live 1 -f matroska - >"$out"
