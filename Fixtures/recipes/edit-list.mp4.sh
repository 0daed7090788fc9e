# The film starts in the middle of a group: the edit list hides the first 25 frames, which decoding needs.
ff -ss 2.85 -i "$(fixture base.mp4)" -c copy "${exact[@]}" -f mp4 "$out"
