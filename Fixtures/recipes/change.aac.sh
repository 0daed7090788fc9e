# ADTS: 441 Hz, 5 s each of 44.1 kHz mono, 48 kHz stereo, 44.1 kHz mono (case P044).
for part in "44100 1" "48000 2" "44100 1"; do
  read -r rate channels <<<"$part"
  ff -f lavfi -i "$(tone 441 5 "$rate" "$channels")" -c:a aac -b:a 96k "${exact[@]}" -f adts - </dev/null
done >"$out"
