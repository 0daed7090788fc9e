# A header that says "fragmented" over a file without fragments (case P035).
ff -i "$(fixture base.mp4)" -vn -c:a copy "${exact[@]}" -movflags frag_keyframe+faststart -f mp4 "$out"
