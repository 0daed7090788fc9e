# Fragments with the random-access box at the end (case P031).
ff -i "$(fixture base.mp4)" -map 0 -c copy "${exact[@]}" -movflags frag_keyframe+empty_moov+default_base_moof \
  -f mp4 "$out"
