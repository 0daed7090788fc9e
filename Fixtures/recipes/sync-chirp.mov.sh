# sync.mov's pictures; in each second of the sound the frequency goes from 500 to 4,500 Hz in a straight line, so that it
# tells the time also where the sound is played faster or slower (`SweptSound`).
ff -i "$(fixture sync.mov)" -f lavfi -i "aevalsrc='0.4*sin(2*PI*(500*mod(t\,1)+2000*mod(t\,1)*mod(t\,1)))':s=48000:d=60" \
  -map 0:v -map 1:a -c:v copy -c:a pcm_s16le "${exact[@]}" -f mov "$out"
