# AVI: MPEG-4 part 2 with packed-free B-frames, MP3 sound.
ff -f lavfi -i "$(picture 320x180 25 5)" -f lavfi -i "$(beeps 880 5)" -c:v mpeg4 -b:v 600k -g 50 -bf 2 -c:a libmp3lame -b:a 96k \
  "${exact[@]}" -f avi "$out"
