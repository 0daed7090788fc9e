# The same sound with a seek header and LAME's delay and padding.
ff -f lavfi -i "aevalsrc='if(lt(mod(t,20),10),0.5*(random(0)-0.5),0.25*sin(2*PI*440*t))':s=44100:d=60" \
  -c:a libmp3lame -q:a 4 "${exact[@]}" -f mp3 "$out"
