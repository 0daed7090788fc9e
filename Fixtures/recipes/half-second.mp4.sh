# Half a second of picture and sound.
ff -f lavfi -i "$(picture 320x180 30 0.5)" -f lavfi -i "$(tone 440 0.5)" $(x264 30) -c:a aac "${exact[@]}" -f mp4 "$out"
