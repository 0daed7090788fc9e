# 440 Hz for 5 s, 48 kHz, stereo.
ff -f lavfi -i "$(tone 440 5 48000 2)" -c:a libopus "${exact[@]}" -f opus "$out"
