# 120 s of VBR without a seek header: each 20 s hold 10 s of noise, then 10 s of 440 Hz (case P038).
ff -f lavfi -i "aevalsrc='if(lt(mod(t,20),10),0.5*(random(0)-0.5),0.25*sin(2*PI*440*t))':s=44100:d=120" \
  -c:a libmp3lame -q:a 4 "${exact[@]}" -write_xing 0 -id3v2_version 0 -f mp3 "$out"
