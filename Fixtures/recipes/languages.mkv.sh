# Two sound tracks (eng 440 Hz, deu 880 Hz), two subtitle tracks (eng, fra), one video.
for l in eng:Hello fra:Bonjour; do
  printf '1\n00:00:01,000 --> 00:00:02,000\n%s\n\n2\n00:00:03,000 --> 00:00:05,000\n%s 2\n' "${l#*:}" "${l#*:}" \
    >"$out.${l%:*}.srt"
done
ff -i "$(fixture base.mp4)" -f lavfi -i "$(tone 440 10)" -f lavfi -i "$(tone 880 10)" -i "$out.eng.srt" -i "$out.fra.srt" \
  -map 0:v -map 1 -map 2 -map 3 -map 4 -c:v copy -c:a libopus -b:a 64k -c:s srt "${exact[@]}" \
  -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu -metadata:s:s:0 language=eng -metadata:s:s:1 language=fra \
  -disposition:a:0 default -disposition:s:1 forced -f matroska "$out"
rm "$out".*.srt
