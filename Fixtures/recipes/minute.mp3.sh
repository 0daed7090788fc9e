# 440 Hz for a minute, 44.1 kHz, stereo: sound alone long enough to count wake-ups.
ff -f lavfi -i "$(tone 440 60 44100 2)" -c:a libmp3lame "${exact[@]}" -f mp3 "$out"
