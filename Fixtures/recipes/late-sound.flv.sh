# Flash video whose sound begins after 9 s and 8 MB: nothing that is read when it is opened says that there is any.
ff -f lavfi -i "$(picture 640x360 25 14),noise=alls=60:allf=t:all_seed=1" -itsoffset 9 -f lavfi -i "$(tone 440 5 44100 2)" \
  -c:v flv -b:v 7M -g 12 -c:a libmp3lame -b:a 96k "${exact[@]}" -f flv "$out"
