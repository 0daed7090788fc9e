# Picture and noise; AAC without noise substitution, whose decoder would roll dice: sound after seeks compared bit by bit.
ff -f lavfi -i "$(picture 320x180 25 12)" -f lavfi -i "aevalsrc='0.2*(random(0)-0.5)+0.2*sin(2*PI*330*t)|0.3*(random(1)-0.5)':s=48000:d=12" \
  $(x264 50 bframes=2) -c:a aac -aac_pns 0 -b:a 128k "${exact[@]}" -f mp4 "$out"
