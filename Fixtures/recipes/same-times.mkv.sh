# Each twentieth picture has the time of the one before.
ff -f lavfi -i "$(picture 160x90 25 5)" -f lavfi -i "$(tone 440 5)" $(x264 25 bframes=0) -c:a aac -b:a 64k "${exact[@]}" \
  -bsf:v "setts=ts='TS-if(eq(mod(N,20),19),40,0)'" -f matroska "$out"
