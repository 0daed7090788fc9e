# Cut at 60 %, index in front: it promises samples that are not there (case P035).
file=$(fixture base.mp4)
head -c $(($(stat -c %s "$file") * 6 / 10)) "$file" >"$out"
