# One minute of sound alone: at most 0.6 of VLC's CPU, at most 1,000 wake-ups (voluntary context switches).
# The players sleep nearly all the time, so those of a round run at once.
rm -f "$native"/j-*
for ((round = 0; round < rounds; round++)); do
  for kind in m4a mp3; do
    file=$(clip "sound.$kind")
    for player in ours mpv vlc gst; do sample_player "j-$kind" "$player" "$file" --limit 90 & done
  done
  wait
done
for kind in m4a mp3; do
  row "j.$kind.cpu" "$(median "$native/j-$kind.ours" 2)" "$(median "$native/j-$kind.vlc" 2)" 0.6 - "$(peers "j-$kind" 2)"
  row "j.$kind.wakeups" "$(median "$native/j-$kind.ours" 6)" 1000 1 - "$(peers "j-$kind" 6)"
  for column in 2 6; do spread "j-$kind" $column ours mpv vlc gst; done
done
