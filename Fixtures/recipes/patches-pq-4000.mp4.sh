# Patches in ST 2084 whose brightest is said to be 4,000 cd/m²: HEVC's MaxCLL.
ff -i "$(fixture patches.mkv)" -vf "scale=out_color_matrix=bt2020:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p10le" \
  -c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv \
  -x265-params "log-level=none:lossless=1:pools=none:frame-threads=1:info=0:hdr10=1:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50):max-cll=4000,400" \
  -tag:v hvc1 "${exact[@]}" -f mp4 "$out"
