# The sound has nothing from 4.3 s on for a second and a half, by its times.
ff -i "$(fixture base.mp4)" -map 0 -c copy "${exact[@]}" -bsf:a "setts=ts='TS+if(gte(N,200),1500,0)'" -f matroska "$out"
