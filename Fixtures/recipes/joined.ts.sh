# Two recordings put together as bytes: the times of the second begin where those of the first did.
ff -i "$(fixture base.mp4)" -map 0 -c copy "${exact[@]}" -f mpegts "$out.one"
cat "$out.one" "$out.one" >"$out"
rm "$out.one"
