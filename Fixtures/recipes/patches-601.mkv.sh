# Patches of standard range with 8 bits in BT.601.
ff -i "$(fixture patches.mkv)" -vf "scale=out_color_matrix=bt601:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p" \
  -c:v ffv1 -level 3 -color_primaries smpte170m -color_trc smpte170m -colorspace smpte170m -color_range tv "${exact[@]}" -f matroska "$out"
