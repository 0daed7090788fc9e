# The clips of the benchmarks; lib.sh sources this. Pictures carry their frame number as the test clips do.
fixtures=Fixtures
. Fixtures/lib.sh

bench_clips=Benchmarks/Generated

# clip NAME: makes it once; prints its path.
clip() {
  local path=$bench_clips/$1
  if [ ! -s "$path" ]; then
    mkdir -p "$bench_clips"
    local partial=$bench_clips/.partial-$$-$1
    make_clip "$1" "$partial" >&2 || die "bench: the clip $1 was not made"
    mv "$partial" "$path"
  fi
  printf '%s' "$path"
}

make_clip() {
  local film=(ffmpeg -hide_banner -loglevel error -nostdin -y)
  local group=(-g 60 -keyint_min 60 -sc_threshold 0 -bf 3 -pix_fmt yuv420p)
  case $1 in
    # One minute of 1080p30 H.264, a key frame every two seconds, B-frames, 5 Mbit/s; AAC.
    1080p.mp4)
      "${film[@]}" -f lavfi -i "$(picture 1920x1080 30 60)" -f lavfi -i sine=440:d=60:r=48000 -c:v libx264 \
        -preset veryfast -b:v 5M -maxrate 8M -bufsize 10M "${group[@]}" -c:a aac -movflags +faststart -f mp4 "$2"
      ;;
    # Two hours of 360p: a piece of two minutes sixty times over, so the frame numbers begin again every 3600.
    2h-360p.mp4)
      local piece sound
      piece=$(clip 360p-piece.mp4) && sound=$(clip sound.m4a) || return 1
      "${film[@]}" -stream_loop 59 -i "$piece" -stream_loop 119 -i "$sound" -map 0:v -map 1:a -c copy -t 7200 \
        -movflags +faststart -f mp4 "$2"
      ;;
    360p-piece.mp4)
      "${film[@]}" -f lavfi -i "$(picture 640x360 30 120)" -c:v libx264 -preset veryfast -b:v 250k "${group[@]}" -f mp4 "$2"
      ;;
    # Ten seconds of 4K HEVC with ten bits.
    4k-hevc10.mp4)
      "${film[@]}" -f lavfi -i testsrc2=s=3840x2160:r=30:d=10 -c:v libx265 -preset ultrafast \
        -x265-params log-level=none -b:v 20M -pix_fmt yuv420p10le -tag:v hvc1 -f mp4 "$2"
      ;;
    sound.m4a) "${film[@]}" -f lavfi -i sine=440:d=60:r=44100 -c:a aac -b:a 128k -f ipod "$2" ;;
    sound.mp3) "${film[@]}" -f lavfi -i sine=440:d=60:r=44100 -c:a libmp3lame -b:a 128k -f mp3 "$2" ;;
    *) die "bench: there is no clip $1" ;;
  esac
}
