# A tone with Opus's tags: -6.02 dB to -23 LUFS in 256ths.
ff -f lavfi -i "$(tone 440 1 48000 2)" -c:a libopus -b:a 64k "${exact[@]}" -metadata R128_TRACK_GAIN="-2821" -f ogg "$out"
