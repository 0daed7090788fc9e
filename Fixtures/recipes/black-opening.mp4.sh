# A film of six seconds whose first two are black.
ff -f lavfi -i "testsrc2=size=160x90:rate=10:duration=6,format=yuv420p,drawbox=color=black:t=fill:enable='lt(t,2)'" \
  $(x264 10) "${exact[@]}" -f mp4 "$out"
