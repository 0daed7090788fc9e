# Cut at 60 %, index lost (case P035).
file=$(fixture plain.mp4)
head -c $(($(stat -c %s "$file") * 6 / 10)) "$file" >"$out"
