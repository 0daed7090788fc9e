# 96 kHz, eight channels, 24 bit.
ff -f lavfi -i "aevalsrc='0.1*sin(2*PI*200*t)|0.1*sin(2*PI*300*t)|0.1*sin(2*PI*400*t)|0.1*sin(2*PI*50*t)|0.1*sin(2*PI*500*t)|0.1*sin(2*PI*600*t)|0.1*sin(2*PI*700*t)|0.1*sin(2*PI*800*t)':c=7.1:s=96000:d=2" \
  -c:a pcm_s24le "${exact[@]}" -f wav "$out"
