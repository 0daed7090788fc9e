# HEVC whose colour, depth and mastering display stand in its own headers alone, and not in the container.
ff -f lavfi -i "$(picture 322x180 24 1),format=yuv420p10le" -c:v libx265 -preset veryfast -crf 28 -pix_fmt yuv420p10le \
  -x265-params "log-level=none:keyint=24:scenecut=0:pools=none:frame-threads=1:info=0:sar=14:range=limited:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400" \
  -tag:v hvc1 "${exact[@]}" -movflags -write_colr -f mp4 "$out.with"
perl -0777 -pe 's/colr(nclx)/free$1/; s/pasp(\0\0)/free$1/' "$out.with" >"$out"
rm "$out.with"
