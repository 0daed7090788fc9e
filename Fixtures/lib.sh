# What recipes may use. A recipe is run by make-fixtures with $out set to the file it has to write.

# ffmpeg, quiet and deterministic: one thread, no version strings, no dates.
ff() {
  ffmpeg -hide_banner -loglevel error -nostdin -y -filter_threads 1 -filter_complex_threads 1 -bitexact "$@"
}

# Encoder settings that give the same bytes on every machine.
exact=(-threads 1 -flags:v +bitexact -flags:a +bitexact -fflags +bitexact -map_metadata -1)

# Filters that write the frame number into the picture (FrameCode.swift reads it).
frame_code() {
  local bit filters="drawbox=x=0:y=0:w=iw:h=ih/5:color=black:t=fill"
  for bit in {0..15}; do
    local x="iw*$((15 - bit))/16" set="mod(floor(n/$((1 << bit))),2)"
    filters+=",drawbox=x=$x:y=0:w=iw/16:h=ih/10:color=white:t=fill:enable='$set'"
    filters+=",drawbox=x=$x:y=ih/10:w=iw/16:h=ih/10:color=white:t=fill:enable='not($set)'"
  done
  printf '%s' "$filters"
}

# picture SIZE RATE SECONDS: a lavfi source of moving pictures with their numbers.
picture() {
  printf 'testsrc2=size=%s:rate=%s:duration=%s,format=yuv420p,%s' "$1" "$2" "$3" "$(frame_code)"
}

# tone HERTZ SECONDS [RATE [CHANNELS]]: a steady tone at a quarter of full scale.
tone() {
  local hertz=$1 seconds=$2 rate=${3:-48000} channels=${4:-1} line i
  line="0.25*sin(2*PI*$hertz*t)"
  local all=$line
  for ((i = 1; i < channels; i++)); do all+="|$line"; done
  printf 'aevalsrc=%s:s=%s:d=%s' "$all" "$rate" "$seconds"
}

# beeps HERTZ SECONDS [RATE]: 100 ms of tone at each full second.
beeps() {
  printf "aevalsrc='0.5*sin(2*PI*%s*t)*lt(mod(t\\,1)\\,0.1)':s=%s:d=%s" "$1" "${3:-48000}" "$2"
}

# Another fixture's path; it is made first when need be.
fixture() {
  "$fixtures/make-fixtures" --quiet "$1" && printf '%s' "$generated/$1"
}

# x264 KEYINT [more x264 parameters]: options for H.264 without scene cuts.
x264() {
  printf '%s\n' -c:v libx264 -preset veryfast -crf 26 -pix_fmt yuv420p \
    -x264-params "keyint=$1:min-keyint=$1:scenecut=0:threads=1:lookahead-threads=1${2:+:$2}"
}
