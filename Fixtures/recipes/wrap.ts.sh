# The 33-bit time stamps pass 2^33 (26.5 h) after 5 s of 10.
ff -i "$(fixture base.mp4)" -map 0 -c copy "${exact[@]}" -output_ts_offset 95438.717 -muxdelay 0 -muxpreload 0 \
  -f mpegts "$out"
