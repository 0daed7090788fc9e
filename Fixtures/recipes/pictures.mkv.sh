# The same pictures as a Blu-ray, a DVD and a broadcaster have them, beside a film.
ff -i "$(fixture base.mp4)" -itsoffset 1 -i "$(fixture pictures.sup)" -map 0:v -map 1:s -map 1:s -map 1:s -c:v copy -c:s:0 copy \
  -c:s:1 dvdsub -c:s:2 dvbsub -s:s:1 64x32 "${exact[@]}" -f matroska "$out"
