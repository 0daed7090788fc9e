# 440 Hz for 5 s, 44.1 kHz, stereo: RF64, whose sizes have 64 bits.
ff -f lavfi -i "$(tone 440 5 44100 2)" -c:a pcm_s16le "${exact[@]}" -rf64 always -f wav "$out"
