# MP3: 441 Hz, 5 s each of 44.1 kHz mono, 48 kHz stereo, 44.1 kHz mono (case P044).
for part in "44100 1" "48000 2" "44100 1"; do
  read -r rate channels <<<"$part"
  ff -f lavfi -i "$(tone 441 5 "$rate" "$channels")" -c:a libmp3lame -b:a 96k "${exact[@]}" -write_xing 0 \
    -id3v2_version 0 -f mp3 - </dev/null
done >"$out"
