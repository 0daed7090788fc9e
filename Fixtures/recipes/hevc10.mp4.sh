# HEVC Main 10 in BT.2020 and PQ with mastering data: HDR10.
ff -f lavfi -i "$(picture 320x180 24 4),format=yuv420p10le" -c:v libx265 -preset veryfast -crf 28 -pix_fmt yuv420p10le \
  -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv \
  -x265-params "log-level=none:keyint=24:scenecut=0:pools=none:frame-threads=1:info=0:hdr10=1:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400" \
  -tag:v hvc1 "${exact[@]}" -f mp4 "$out"
