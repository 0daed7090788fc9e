# MPEG program stream: MPEG-2 video with B-frames, MP2 sound.
ff -f lavfi -i "$(picture 320x180 25 5)" -f lavfi -i "$(beeps 880 5)" -c:v mpeg2video -b:v 1M -g 15 -bf 2 -c:a mp2 \
  "${exact[@]}" -f mpeg "$out"
