# 440 Hz for 5 s, 44.1 kHz stereo AAC with priming and padding in the edit list.
ff -f lavfi -i "$(tone 440 5 44100 2)" -c:a aac -b:a 96k "${exact[@]}" -f ipod "$out"
