# Transport stream: no index at all, times start at 1.4 s.
ff -i "$(fixture b-pyramid.mp4)" -f lavfi -i "$(beeps 880 20)" -map 0:v -map 1:a -c:v copy -c:a aac -b:a 64k \
  "${exact[@]}" -f mpegts "$out"
