# Private dirty memory after 6 s: one 1080p playback at most 60 MB, three in one process at most 150 MB.
file=$(clip 1080p.mp4)
compare i --memory-after 6 --limit 20 -- "$file"
row i.one "$(median "$native/i.ours" 5)" 60 1 - "$(peers i 5)"
spread i 5 ours mpv vlc gst
rm -f "$native"/i3.*
for ((round = 0; round < rounds; round++)); do
  sample "$native/i3.ours" --memory-after 6 --limit 20 -- "$sprocket_bench" play "$file" "$file" "$file"
  mapfile -d '' -t words < <(mpv_command "$file")
  # No peer plays three in one process.
  sample "$native/i3.mpv" --memory-after 6 --limit 20 -- sh -c '"$@" & "$@" & "$@" & wait' sh "${words[@]}"
done
row i.three "$(median "$native/i3.ours" 5)" 150 1 - "$(peers i3 5 mpv)"
spread i3 5 ours mpv
