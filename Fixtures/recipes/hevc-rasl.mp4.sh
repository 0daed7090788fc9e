# HEVC with open groups: RASL pictures after each CRA can't be decoded when playing starts there.
ff -f lavfi -i "$(picture 320x180 24 20)" -c:v libx265 -preset veryfast -crf 28 -pix_fmt yuv420p \
  -x265-params "log-level=none:open-gop=1:keyint=48:min-keyint=48:scenecut=0:bframes=4:pools=none:frame-threads=1:info=0" \
  -tag:v hvc1 "${exact[@]}" -f mp4 "$out"
