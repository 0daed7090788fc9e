# All of the picture, six megabytes, before all of the sound.
ff -f lavfi -i "$(picture 320x180 30 10),noise=alls=90:allf=t:all_seed=1" -f lavfi -i "$(tone 440 10)" -c:v mpeg4 -b:v 5M -g 30 \
  -c:a aac -b:a 96k "${exact[@]}" -f mp4 "$out.plain"
perl "$fixtures/boxes.pl" apart "$out.plain" "$out"
rm "$out.plain"
