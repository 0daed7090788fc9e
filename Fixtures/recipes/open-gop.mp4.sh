# Open groups of 48: the B-frames before a key frame in presentation need the group before.
ff -f lavfi -i "$(picture 320x180 24 20)" $(x264 48 open-gop=1:bframes=3) "${exact[@]}" -f mp4 "$out"
