# The picture begins 0.5 s after the sound.
ff -itsoffset 0.5 -i "$(fixture base.mp4)" -i "$(fixture base.mp4)" -map 0:v -map 1:a -c copy "${exact[@]}" \
  -use_editlist 1 -f mp4 "$out"
