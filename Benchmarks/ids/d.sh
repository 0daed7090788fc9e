# 20 s of 1080p30 in real time, null outputs: at most 0.94 of VLC's CPU, at most 90 MB of peak RSS.
file=$(clip 1080p.mp4)
compare d --limit 20 -- "$file" realtime "$file" 1 25
row d.cpu "$(median "$native/d.ours" 2)" "$(median "$native/d.vlc" 2)" 0.94 "$(median "$native/d.floor" 2)" "$(peers d 2)"
row d.rss "$(median "$native/d.ours" 3)" 90 1 "$(median "$native/d.floor" 3)" "$(peers d 3)"
for column in 2 3; do spread d $column ours mpv vlc gst floor; done
