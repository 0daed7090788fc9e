# 100 exact pictures of 320 pixels' width: f1 in a minute of 1080p, 0.6 s apart, f2 in two hours of 360p, 71.77 s apart.
# CPU of the whole process: at most 1.05 and 1.10 times the floor's.
stills_of() { # TAG PLAYER FILE SECONDS…
  local tag=$1 player=$2 file=$3 words
  shift 3
  case $player in
    ours) words=("$sprocket_bench" stills "$file" "$@") ;;
    floor) words=("$native/floor" stills "$file" 2 "$@") ;;
  esac
  sample "$native/$tag.$player" --limit 300 -- "${words[@]}"
}

minute=$(clip 1080p.mp4)
hours=$(clip 2h-360p.mp4)
minute_times=$(awk 'BEGIN { for (i = 0; i < 100; i++) printf "%.1f ", i * 0.6 }')
hours_times=$(awk 'BEGIN { for (i = 0; i < 100; i++) printf "%.2f ", i * 71.77 }')
rm -f "$native"/f1.* "$native"/f2.*
for ((round = 0; round < rounds; round++)); do
  for player in ours floor; do
    stills_of f1 $player "$minute" $minute_times
    stills_of f2 $player "$hours" $hours_times
  done
  sample "$native/f1.select" --limit 300 -- ffmpeg -nostdin -v error -threads 2 -i "$minute" -an \
    -vf "select='not(mod(n,18))',scale=320:-2" -fps_mode passthrough -pix_fmt bgra -f null -
  # mpv's exact seeks, without making pictures of them: CPU milliseconds of a seek, a hundredth of what all cost.
  rm -f "$native/mpv.socket"
  mpv --no-config --really-quiet --vo=null --ao=null --pause --keep-open=yes --input-ipc-server="$native/mpv.socket" "$hours" \
    >"$native/mpv.log" 2>&1 </dev/null &
  mpv=$!
  "$native/mpv-seek" exact "$native/mpv.socket" "$mpv" $hours_times | awk '{ printf "- %.3f\n", $3 / 10 }' >>"$native/f2.mpv"
  kill "$mpv" 2>/dev/null || true
  wait "$mpv" 2>/dev/null || true
done
row f1.cpu "$(median "$native/f1.ours" 2)" "$(median "$native/f1.floor" 2)" 1.05 "$(median "$native/f1.floor" 2)" "$(peers f1 2 select)"
row f2.cpu "$(median "$native/f2.ours" 2)" "$(median "$native/f2.floor" 2)" 1.10 "$(median "$native/f2.floor" 2)" "$(peers f2 2 mpv)"
off=0
for file in "$minute $minute_times" "$hours $hours_times"; do
  # shellcheck disable=SC2086
  off=$((off + $("$sprocket_bench" stills $file | awk '{ print $2 + 100 - $1 }')))
done
row f.off "$off" 1 0 - -
for column in 2 1 3; do spread f1 $column ours floor select; spread f2 $column ours floor; done
spread f2 2 mpv
