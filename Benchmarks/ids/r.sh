# Backward in real time, a minute at −1: r1 of 1080p, at least 12 pictures a second, evenly, within 256 MB; r2 of 360p, all.
backward() { # TAG FILE: sets seconds, shown, disorder, gap and memory
  local line
  line=$("$sprocket_bench" reverse "$2" 60 1)
  echo "  $1 $line" >&2
  read -r seconds shown disorder gap memory <<<"$line"
}
backward r1 "$(clip 1080p.mp4)"
row r1.fps "$(awk -v n="$shown" -v s="$seconds" 'BEGIN { printf "%.1f", n / s }')" 12 1 - - least
row r1.disorder "$disorder" 1 0 - -
row r1.gap "$gap" 1 1 - -
row r1.mem "$memory" 256 1 - -
backward r2 "$(clip 2h-360p.mp4)"
# Every frame once, but for the first, which was shown before.
row r2.shown "$shown" 1800 1 - - least
row r2.disorder "$disorder" 1 0 - -
