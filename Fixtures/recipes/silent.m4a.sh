# Three seconds of zeros.
ff -f lavfi -i "aevalsrc=0|0:s=48000:d=3" -c:a aac -b:a 64k "${exact[@]}" -movflags +faststart -f mp4 "$out"
