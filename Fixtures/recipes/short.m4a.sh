# 0.8 s of sound (case P037).
ff -f lavfi -i "$(tone 440 0.8 44100)" -c:a aac -b:a 64k "${exact[@]}" -f ipod "$out"
