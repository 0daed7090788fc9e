# 440 Hz for 2 s, 32 kHz, one channel.
ff -f lavfi -i "$(tone 440 2 32000 1)" -c:a flac "${exact[@]}" -f flac "$out"
