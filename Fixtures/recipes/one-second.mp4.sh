# 1 s: 25 pictures and 44,100 samples of 440 Hz, neither a frame longer than the other.
ff -f lavfi -i "$(picture 160x90 25 1)" -f lavfi -i "$(tone 440 1 44100 2)" \
  $(x264 25) -c:a aac -b:a 64k "${exact[@]}" -f mp4 "$out"
