# 5.1, all channels near full scale: an unnormalised down-mix would clip.
ff -f lavfi -i "aevalsrc='0.9*sin(2*PI*440*t)|0.9*sin(2*PI*440*t)|0.9*sin(2*PI*440*t)|0.9*sin(2*PI*40*t)|0.9*sin(2*PI*440*t)|0.9*sin(2*PI*440*t)':c=5.1:s=48000:d=3" \
  -c:a flac "${exact[@]}" -f flac "$out"
