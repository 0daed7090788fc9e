# An elementary stream: no times, no index.
ff -i "$(fixture base.mp4)" -map 0:v -c copy -bsf:v h264_mp4toannexb "${exact[@]}" -f h264 "$out"
