# The picture stands for two seconds from 5 s on, at a rate that is steady else.
ff -f lavfi -i "$(picture 160x90 30 10)" -f lavfi -i "$(tone 440 12)" $(x264 30 bframes=0) -c:a aac -b:a 64k "${exact[@]}" \
  -bsf:v "setts=ts='TS+if(gte(N,150),2000,0)'" -f matroska "$out"
