# Patches of standard range with 10 bits in BT.709.
ff -i "$(fixture patches.mkv)" -vf "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p10le" \
  -c:v ffv1 -level 3 -color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv "${exact[@]}" -f matroska "$out"
