# The first key frame is missing: the first 29 pictures depend on nothing that is there.
ff -i "$(fixture base.mp4)" -map 0 -c copy "${exact[@]}" -bsf:v "noise=drop='eq(n,0)'" -f matroska "$out"
