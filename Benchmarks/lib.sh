# What the benchmarks share. An id's file in ids/ says what is measured and prints rows by `row`.

bench_clips=Benchmarks/Generated
native=.build/bench
rounds=${BENCH_ROUNDS:-5}

# The small C programs: measure, the preloaded stamp, the floor.
build_native() {
  mkdir -p "$native"
  gcc -O2 -Wall -Werror -o "$native/measure" Benchmarks/native/measure.c
  # shellcheck disable=SC2046
  gcc -O2 -Wall -Werror -shared -fPIC -o "$native/first-frame.so" Benchmarks/native/first-frame.c $(pkg-config --cflags libavcodec) -ldl
  # shellcheck disable=SC2046
  gcc -O2 -Wall -Werror -o "$native/floor" Benchmarks/native/floor.c $(pkg-config --cflags --libs libavformat libavcodec libavutil)
}

# clip NAME: makes it once; prints its path.
clip() {
  local path=$bench_clips/$1
  mkdir -p "$bench_clips"
  if [ ! -s "$path" ]; then
    local partial=$bench_clips/.partial-$1
    local film=(-hide_banner -loglevel error -nostdin -y -f lavfi)
    case $1 in
      1080p.mp4)
        ffmpeg "${film[@]}" -i testsrc2=s=1920x1080:r=30:d=60 -f lavfi -i sine=440:d=60:r=48000 -c:v libx264 \
          -preset veryfast -g 60 -bf 2 -pix_fmt yuv420p -c:a aac -movflags +faststart -f mp4 "$partial" ;;
      4k-hevc10.mp4)
        ffmpeg "${film[@]}" -i testsrc2=s=3840x2160:r=30:d=10 -c:v libx265 -preset ultrafast -x265-params log-level=none \
          -pix_fmt yuv420p10le -tag:v hvc1 -f mp4 "$partial" ;;
      sound.m4a) ffmpeg "${film[@]}" -i sine=440:d=60:r=44100 -c:a aac -b:a 128k -f ipod "$partial" ;;
      sound.mp3) ffmpeg "${film[@]}" -i sine=440:d=60:r=44100 -c:a libmp3lame -b:a 128k -f mp3 "$partial" ;;
      *) die "bench: there is no clip $1" ;;
    esac
    mv "$partial" "$path"
  fi
  printf '%s' "$path"
}

# sample FILE OPTIONS… -- PROGRAM…: one measurement appended to FILE.
# Columns: wall ms, CPU s, peak RSS MB, first frame ms, private dirty MB, voluntary context switches.
sample() {
  local file=$1 options=()
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  MEASURE_OUTPUT=$native/one "$native/measure" "${options[@]}" "$@" || true
  cat "$native/one" >>"$file"
}

# median FILE COLUMN: `-` when a run had no value there.
median() {
  awk -v column="$2" '{ print $column }' "$1" | sort -n | awk '
    $1 == "-" { missing = 1 }
    { value[NR] = $1 }
    END { if (NR == 0 || missing) print "-"; else print value[int((NR + 1) / 2)] }'
}

# row ID OURS REFERENCE FACTOR FLOOR PEERS: goal is at most FACTOR of REFERENCE (a number). PEERS: name=value,…
row() {
  awk -v id="$1" -v ours="$2" -v reference="$3" -v factor="$4" -v floor="$5" -v peers="$6" 'BEGIN {
    ratio = "-"; met = "false"
    if (ours != "-" && reference != "-" && reference > 0) { ratio = ours / reference; met = ratio <= factor ? "true" : "false" }
    printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", id, ours, peers, floor, ratio == "-" ? "-" : sprintf("%.3f", ratio), factor, met
  }' >>"$native/rows"
}

# Our player and the peers, without sound and picture devices.
ours() { printf '%s\0' "$sprocket" play --output null "$@"; }
mpv_command() { printf '%s\0' mpv --no-config --really-quiet --vo=null --ao=null "$@"; }
vlc_command() { printf '%s\0' vlc -I dummy --quiet --no-video-title-show --vout=vdummy --aout=adummy "$@" vlc://quit; }
gst_command() {
  printf '%s\0' gst-launch-1.0 -q playbin "uri=file://$(realpath "$1")" video-sink=fakesink\ sync=true audio-sink=fakesink\ sync=true
}

# compare TAG OPTIONS… -- FILE: measures all four, interleaved, into $native/TAG.{ours,mpv,vlc,gst}
compare() {
  local tag=$1 options=() round player
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  rm -f "$native/$tag".*
  for ((round = 0; round < rounds; round++)); do
    for player in ours mpv vlc gst; do
      local words=()
      case $player in
        ours) mapfile -d '' -t words < <(ours "$1") ;;
        *) mapfile -d '' -t words < <("${player}_command" "$1") ;;
      esac
      # VLC refuses to run as root; a copy of its program without that check is the usual way.
      [ "$player" != vlc ] || words[0]=$(vlc_program)
      sample "$native/$tag.$player" "${options[@]}" -- "${words[@]}"
    done
  done
}

vlc_program() {
  if [ "$(id -u)" != 0 ]; then printf vlc; return; fi
  [ -x "$native/vlc" ] || { sed 's/geteuid/getppid/' <"$(command -v vlc)" >"$native/vlc" && chmod +x "$native/vlc"; }
  printf '%s' "$native/vlc"
}

# peers TAG COLUMN: name=value,… of the medians.
peers() {
  local player list=()
  for player in mpv vlc gst; do list+=("$player=$(median "$native/$1.$player" "$2")"); done
  (IFS=,; printf '%s' "${list[*]}")
}
