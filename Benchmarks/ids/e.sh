# Decoding as fast as it goes with two threads, 1080p H.264 and 4K HEVC of ten bits: at least 0.98 of the floor.
decode_with() { # PLAYER FILE: the whole process
  local words player=$1 file=$2 decoder
  case $player in
    ours) words=("$sprocket_bench" decode "$file" 2) ;;
    floor) words=("$native/floor" decode "$file" 2) ;;
    ffmpeg) words=(ffmpeg -nostdin -v error -threads 2 -i "$file" -map 0:v -fps_mode passthrough -f null -) ;;
    mpv) words=(mpv --no-config --really-quiet --vo=null --no-audio --untimed --vd-lavc-threads=2 "$file") ;;
    gst)
      case $file in *hevc*) decoder='h265parse ! avdec_h265' ;; *) decoder='h264parse ! avdec_h264' ;; esac
      read -ra words <<<"gst-launch-1.0 -q filesrc location=$file ! qtdemux ! $decoder max-threads=2 ! fakesink sync=false"
      ;;
  esac
  sample "$native/e.$player" --limit 120 -- "${words[@]}"
}

for name in 1080p.mp4 4k-hevc10.mp4; do
  file=$(clip $name)
  rm -f "$native"/e.*
  for ((round = 0; round < rounds; round++)); do
    for player in ours floor ffmpeg mpv gst; do decode_with $player "$file"; done
  done
  frames=$("$native/floor" decode "$file" 2 | cut -d' ' -f1)
  [ "$("$sprocket_bench" decode "$file" 2)" = "$frames" ] || echo "bench: e: not all frames of $name were decoded" >&2
  for player in ours floor ffmpeg mpv gst; do
    awk -v frames="$frames" '{ printf "%.1f\n", ($1 > 0 ? frames * 1000 / $1 : 0) }' "$native/e.$player" >"$native/e-fps.$player"
  done
  row "e.${name%%[-.]*}" "$(median "$native/e-fps.ours" 1)" "$(median "$native/e-fps.floor" 1)" 0.98 \
    "$(median "$native/e-fps.floor" 1)" "$(peers e-fps 1 ffmpeg mpv gst)" least
  spread e-fps 1 ours floor ffmpeg mpv gst
done
