# One minute of sound alone: at most 0.6 of VLC's CPU, at most 1,000 wake-ups (voluntary context switches).
for kind in m4a mp3; do
  file=$(clip "sound.$kind")
  compare "j-$kind" --limit 90 -- "$file"
  row "j.$kind.cpu" "$(median "$native/j-$kind.ours" 2)" "$(median "$native/j-$kind.vlc" 2)" 0.6 - "$(peers "j-$kind" 2)"
  row "j.$kind.wakeups" "$(median "$native/j-$kind.ours" 6)" 1000 1 - "$(peers "j-$kind" 6)"
done
