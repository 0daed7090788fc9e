ff -f lavfi -i "$(picture 320x180 24 3)" -c:v libsvtav1 -preset 10 -crf 45 -g 24 -svtav1-params lp=1 "${exact[@]}" -f mp4 "$out"
