# Process start to the first decoded frame of a local 1080p file: at most 0.85 of VLC's time, 1.15 of the floor's
# without probing, 0.78 of VLC's CPU.
file=$(clip 1080p.mp4)
export FIRST_FRAME_SHIM=$PWD/$native/first-frame.so FIRST_FRAME_EXIT=1
# It is short and scatters: four times as often as the others.
a_rounds=$rounds
rounds=$((4 * rounds))
compare a --limit 20 -- "$file" first "$file" 2
rounds=$a_rounds
unset FIRST_FRAME_SHIM FIRST_FRAME_EXIT
floor=$(median "$native/a.floor" 4)
row a.time "$(median "$native/a.ours" 4)" "$(median "$native/a.vlc" 4)" 0.85 "$floor" "$(peers a 4)"
row a.floor "$(median "$native/a.ours" 4)" "$floor" 1.15 "$floor" "$(peers a 4)"
row a.cpu "$(median "$native/a.ours" 2)" "$(median "$native/a.vlc" 2)" 0.78 "$(median "$native/a.floor" 2)" "$(peers a 2)"
for column in 4 2; do spread a $column ours mpv vlc gst floor; done
