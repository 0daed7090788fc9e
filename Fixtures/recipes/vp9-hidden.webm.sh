# VP9 with hidden frames (alternate references), which give no picture of their own.
ff -f lavfi -i "$(picture 320x180 24 10)" -c:v libvpx-vp9 -b:v 300k -g 48 -keyint_min 48 -auto-alt-ref 1 \
  -lag-in-frames 16 -deadline realtime -cpu-used 5 -row-mt 0 -tile-columns 0 "${exact[@]}" -f webm "$out"
