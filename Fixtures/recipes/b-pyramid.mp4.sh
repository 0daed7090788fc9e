# B-frames that other B-frames use, up to seven in a row.
ff -f lavfi -i "$(picture 320x180 30 20)" \
  $(x264 60 bframes=7:b-pyramid=normal:b-adapt=0:ref=4) "${exact[@]}" -f mp4 "$out"
