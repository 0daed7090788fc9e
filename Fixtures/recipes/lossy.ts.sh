# A transport stream that lost packets on the way: each 151st of them.
ff -i "$(fixture base.mp4)" -map 0 -c copy "${exact[@]}" -f mpegts "$out.whole"
perl -0777 -ne 'my $n = 0; print grep { ++$n % 151 } unpack("(a188)*", $_)' "$out.whole" >"$out"
rm "$out.whole"
