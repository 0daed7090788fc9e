# What the benchmarks share. An id's file in ids/ says what is measured and prints rows by `row`.
. Benchmarks/clips.sh

native=.build/bench
rounds=${BENCH_ROUNDS:-5}
# No sound devices; a program that finds no server would say so.
export SPROCKET_AUDIO=null

# The small C programs: measure, the preloaded stamp, the floor, the seekers.
build_native() {
  local c=(gcc -O2 -Wall -Werror) source=Benchmarks/native
  mkdir -p "$native"
  "${c[@]}" -o "$native/measure" "$source/measure.c"
  "${c[@]}" -o "$native/mpv-seek" "$source/mpv-seek.c"
  # shellcheck disable=SC2046
  "${c[@]}" -shared -fPIC -o "$native/first-frame.so" "$source/first-frame.c" $(pkg-config --cflags libavcodec) -ldl
  # shellcheck disable=SC2046
  "${c[@]}" -o "$native/floor" "$source/floor.c" $(pkg-config --cflags --libs libavformat libavcodec libswscale libavutil)
  # shellcheck disable=SC2046
  "${c[@]}" -o "$native/gst-seek" "$source/gst-seek.c" $(pkg-config --cflags --libs gstreamer-1.0)
}

# sample FILE OPTIONS… -- PROGRAM…: one measurement appended to FILE.
# Columns: wall ms, CPU s, peak RSS MB, first frame ms, private dirty MB, voluntary context switches.
sample() {
  local file=$1 options=()
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  local one=$native/one.$BASHPID
  MEASURE_OUTPUT=$one "$native/measure" "${options[@]}" "$@" || true
  cat "$one" >>"$file"
  rm -f "$one"
}

# median FILE COLUMN: `-` when a run had no value there.
median() {
  [ -s "$1" ] || { printf -- -; return; }
  awk -v column="$2" '{ print column <= NF ? $column : "-" }' "$1" | sort -n | awk '
    $1 == "-" { missing = 1 }
    { value[NR] = $1 }
    END { if (NR == 0 || missing) print "-"; else print value[int((NR + 1) / 2)] }'
}

# row ID OURS REFERENCE FACTOR FLOOR PEERS [least]: the goal is at most (or, with `least`, at least) FACTOR times
# REFERENCE, a number. PEERS: name=value,…
row() {
  awk -v id="$1" -v ours="$2" -v reference="$3" -v factor="$4" -v floor="$5" -v peers="$6" -v least="${7:-}" 'BEGIN {
    ratio = "-"; met = "false"
    if (ours != "-" && reference != "-" && reference > 0) {
      ratio = sprintf("%.3f", ours / reference)
      if (least != "" ? ours / reference >= factor : ours / reference <= factor) met = "true"
    }
    printf "%s\t%s\t%s\t%s\t%s\t%s%s\t%s\n", id, ours, peers, floor, ratio, least != "" ? ">=" : "<=", factor, met
  }' >>"$native/rows"
}

# product A B: of two numbers, `-` when one is missing.
product() { awk -v a="$1" -v b="$2" 'BEGIN { if (a == "-" || b == "-") print "-"; else printf "%.2f\n", a * b }'; }

# Our player and the peers, without sound and picture devices.
ours() { printf '%s\0' "$sprocket" play --output null "$@"; }
mpv_command() { printf '%s\0' mpv --no-config --really-quiet --vo=null --ao=null "$@"; }
vlc_command() { printf '%s\0' vlc -I dummy --quiet --no-video-title-show --vout=vdummy --aout=adummy "$@" vlc://quit; }
gst_command() {
  printf '%s\0' gst-launch-1.0 -q playbin "uri=file://$(realpath "$1")" video-sink=fakesink\ sync=true audio-sink=fakesink\ sync=true
}

# sample_player TAG PLAYER FILE OPTIONS…: one measurement appended to $native/TAG.PLAYER
sample_player() {
  local tag=$1 player=$2 words=()
  case $player in
    ours) mapfile -d '' -t words < <(ours "$3") ;;
    *) mapfile -d '' -t words < <("${player}_command" "$3") ;;
  esac
  # VLC refuses to run as root; a copy of its program without that check is the usual way.
  [ "$player" != vlc ] || words[0]=$(vlc_program)
  shift 3
  sample "$native/$tag.$player" "$@" -- "${words[@]}"
}

# compare TAG OPTIONS… -- FILE [FLOOR…]: measures ours, the peers and the floor's command, interleaved.
compare() {
  local tag=$1 options=() round player file
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  file=$2
  shift 2
  rm -f "$native/$tag".*
  for ((round = 0; round < rounds; round++)); do
    for player in ours mpv vlc gst; do sample_player "$tag" "$player" "$file" "${options[@]}"; done
    [ $# = 0 ] || sample "$native/$tag.floor" "${options[@]}" -- "$native/floor" "$@"
  done
}

vlc_program() {
  if [ "$(id -u)" != 0 ]; then printf vlc; return; fi
  [ -x "$native/vlc" ] || { sed 's/geteuid/getppid/' <"$(command -v vlc)" >"$native/vlc" && chmod +x "$native/vlc"; }
  printf '%s' "$native/vlc"
}

# peers TAG COLUMN [NAME…]: name=value,… of the medians.
peers() {
  local tag=$1 column=$2 player list=()
  shift 2
  [ $# -gt 0 ] || set -- mpv vlc gst
  for player in "$@"; do list+=("$player=$(median "$native/$tag.$player" "$column")"); done
  (IFS=,; printf '%s' "${list[*]}")
}

# spread TAG COLUMN NAME…: least and greatest of each, for the record on standard error.
spread() {
  local tag=$1 column=$2 name
  shift 2
  for name in "$@"; do
    [ -s "$native/$tag.$name" ] || continue
    awk -v column="$column" '{ print $column }' "$native/$tag.$name" | sort -n |
      awk -v name="$tag.$name[$column]" '{ v[NR] = $1 } END { printf "  %s median %s [%s..%s] n=%d\n", name, v[int((NR + 1) / 2)], v[1], v[NR], NR }' >&2
  done
}
