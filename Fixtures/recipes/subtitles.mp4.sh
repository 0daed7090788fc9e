# Timed text as movies have it (3GPP TS 26.245).
printf '1\n00:00:01,000 --> 00:00:02,000\n<b>Hello</b> you\n\n2\n00:00:03,000 --> 00:00:05,000\nWorld\n' >"$out.srt"
ff -i "$(fixture base.mp4)" -i "$out.srt" -map 0:v -map 1 -c:v copy -c:s mov_text "${exact[@]}" \
  -metadata:s:s:0 language=eng -f mp4 "$out"
rm "$out.srt"
