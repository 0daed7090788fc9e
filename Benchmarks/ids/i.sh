# Private dirty memory after 6 s of one 1080p playback: at most 60 MB.
file=$(clip 1080p.mp4)
compare i --memory-after 6 --limit 20 -- "$file"
row i.one "$(median "$native/i.ours" 5)" 60 1 - "$(peers i 5)"
