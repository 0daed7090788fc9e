# AV1 whose colour stands in its sequence header alone.
ff -f lavfi -i "$(picture 320x180 24 1),format=yuv420p10le" -c:v libaom-av1 -cpu-used 8 -crf 45 -pix_fmt yuv420p10le \
  "${exact[@]}" -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range pc -f mp4 "$out.with"
perl -0777 -pe 's/colr(nclx)/free$1/' "$out.with" >"$out"
rm "$out.with"
