# Patches in ST 2084 and BT.2020, without mastering data.
ff -i "$(fixture patches.mkv)" -vf "scale=out_color_matrix=bt2020:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p10le" \
  -c:v ffv1 -level 3 -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv "${exact[@]}" -f matroska "$out"
