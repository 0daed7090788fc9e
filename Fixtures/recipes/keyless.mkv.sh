# A film that lost its only key frame: MPEG-4 part 2 from the second frame on.
ff -f lavfi -i "$(picture 320x180 10 2)" -c:v mpeg4 -qscale:v 3 -g 100 -bsf:v "noise=drop=key" "${exact[@]}" -f matroska "$out"
