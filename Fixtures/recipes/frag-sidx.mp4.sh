# Fragments with one segment index in front.
ff -i "$(fixture base.mp4)" -map 0 -c copy "${exact[@]}" \
  -movflags frag_keyframe+empty_moov+default_base_moof+global_sidx -f mp4 "$out"
