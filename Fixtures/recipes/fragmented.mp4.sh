# Fragments of one group each; no sidx, no mfra: only a scan finds them (case P031, frag_noindex).
ff -i "$(fixture base.mp4)" -map 0 -c copy "${exact[@]}" \
  -movflags frag_keyframe+empty_moov+default_base_moof+skip_trailer -f mp4 "$out"
