# A tone at -90 dB, below what 16 bits of music use.
ff -f lavfi -i "aevalsrc=0.00003*sin(2*PI*440*t):s=48000:d=3" -c:a flac -sample_fmt s32 "${exact[@]}" -f flac "$out"
