# 5.1: 440 Hz in the centre channel alone (case P091).
ff -f lavfi -i "aevalsrc='0|0|0.25*sin(2*PI*440*t)|0|0|0':c=5.1:s=48000:d=5" -c:a aac -b:a 256k "${exact[@]}" \
  -f ipod "$out"
