# Pixel aspect 4:3: stored 240x180, shown 320x180.
ff -f lavfi -i "$(picture 240x180 30 2),setsar=4/3" $(x264 30) "${exact[@]}" -f mp4 "$out"
