# The sound begins 0.68 s after the picture: an empty edit (case P029, elst_audio_late); duration 10.68 s.
ff -i "$(fixture base.mp4)" -itsoffset 0.68 -i "$(fixture base.mp4)" -map 0:v -map 1:a -c copy "${exact[@]}" \
  -use_editlist 1 -f mp4 "$out"
