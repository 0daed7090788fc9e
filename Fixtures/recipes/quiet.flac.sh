# A tone at -70 dB: soft, but there.
ff -f lavfi -i "aevalsrc=0.0003*sin(2*PI*440*t):s=48000:d=3" -c:a flac -sample_fmt s32 "${exact[@]}" -f flac "$out"
