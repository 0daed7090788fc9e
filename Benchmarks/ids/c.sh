# Seeks while paused, 50 targets: c1 exact in a minute of 1080p, c2 exact in two hours of 360p, c3 key frames, c4 onward.
seek_targets() { # SEED LAST: 50 times in seconds, one list a round, alike for all
  awk -v seed="$1" -v last="$2" 'BEGIN { srand(seed); for (i = 0; i < 50; i++) printf "%.3f ", 1 + rand() * last }'
}

# Several programs each do all targets; a line of each is p50 p95 CPU off count.
seek_round() { # TAG KIND FILE TARGETS
  local tag=$1 kind=$2 file=$3 socket=$native/mpv.socket mpv floor_kind=keyframe
  [ "$kind" = keyframe ] || { kind=exact; floor_kind=seek; }
  timeout 120 "$sprocket_bench" "$([ "$kind" = exact ] && echo seek || echo keyframe)" "$file" $4 >>"$native/$tag.ours" ||
    echo "- - - - -" >>"$native/$tag.ours"
  rm -f "$socket"
  mpv --no-config --really-quiet --vo=null --ao=null --pause --keep-open=yes --input-ipc-server="$socket" "$file" \
    >"$native/mpv.log" 2>&1 </dev/null &
  mpv=$!
  "$native/mpv-seek" "$kind" "$socket" "$mpv" $4 >>"$native/$tag.mpv" || echo "- - - - -" >>"$native/$tag.mpv"
  kill "$mpv" 2>/dev/null || true
  wait "$mpv" 2>/dev/null || true
  "$native/gst-seek" "$kind" "$file" $4 >>"$native/$tag.gst" 2>/dev/null || echo "- - - - -" >>"$native/$tag.gst"
  "$native/floor" "$floor_kind" "$file" $([ "$kind" = exact ] && echo 2 || echo 1) $4 >>"$native/$tag.floor"
}

minute=$(clip 1080p.mp4)
hours=$(clip 2h-360p.mp4)
rm -f "$native"/c?.* "$native"/c3?.*
for ((round = 0; round < rounds; round++)); do
  seek_round c1 seek "$minute" "$(seek_targets "$round" 58)"
  seek_round c2 seek "$hours" "$(seek_targets "$round" 7190)"
  seek_round c3a keyframe "$minute" "$(seek_targets "$round" 58)"
  seek_round c3b keyframe "$hours" "$(seek_targets "$round" 7190)"
  # 15 frames on within a group of 60 whose first frames are decoded.
  "$sprocket_bench" forward "$minute" 15 $(awk 'BEGIN { for (i = 1; i < 28; i++) printf "%.3f ", 2 * i + 0.105 }') >>"$native/c4.ours"
  "$native/floor" decode "$minute" 2 20 >>"$native/c4.floor"
done
for tag in c1 c2; do
  file=$native/$tag
  [ $tag = c1 ] && goals=(0.80 1.0) || goals=(0.65 0.85)
  row $tag.p50 "$(median "$file.ours" 1)" "$(median "$file.mpv" 1)" "${goals[0]}" "$(median "$file.floor" 1)" "$(peers $tag 1 mpv gst)"
  row $tag.p95 "$(median "$file.ours" 2)" "$(median "$file.mpv" 2)" "${goals[1]}" "$(median "$file.floor" 2)" "$(peers $tag 2 mpv gst)"
  for column in 1 2 3; do spread $tag $column ours mpv gst floor; done
done
row c1.cpu "$(median "$native/c1.ours" 3)" "$(median "$native/c1.mpv" 3)" 0.95 "$(median "$native/c1.floor" 3)" "$(peers c1 3 mpv gst)"
row c1.off "$(awk '{ off += $4 } END { print off + 0 }' "$native/c1.ours" "$native/c2.ours")" 1 0 - -
for tag in c3a c3b; do
  row $tag.p50 "$(median "$native/$tag.ours" 1)" "$(median "$native/$tag.floor" 1)" 1.15 "$(median "$native/$tag.floor" 1)" "$(peers $tag 1 mpv gst)"
  spread $tag 1 ours mpv gst floor
done
# The floor's time for a frame is the reciprocal of its rate.
frame=$(awk -v rate="$(median "$native/c4.floor" 2)" 'BEGIN { printf "%.3f", 1000 / rate }')
row c4.ahead "$(median "$native/c4.ours" 1)" "$(product "$frame" 15)" 1.0 "$(product "$frame" 15)" -
row c4.step "$(median "$native/c4.ours" 3)" "$frame" 1.0 "$frame" -
row c4.off "$(awk '{ off += $5 } END { print off + 0 }' "$native/c4.ours")" 1 0 - -
spread c4 1 ours
spread c4 3 ours
