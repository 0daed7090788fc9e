# 440 Hz for 5 s, 44.1 kHz, stereo.
ff -f lavfi -i "$(tone 440 5 44100 2)" -c:a alac "${exact[@]}" -f ipod "$out"
