# Pixel aspect 4:3, which stands in H.264's own header alone: stored 240x180, shown 320x180.
ff -f lavfi -i "$(picture 240x180 30 2),setsar=4/3" $(x264 30) "${exact[@]}" -f mp4 "$out.with"
perl -0777 -pe 's/pasp(\0\0)/free$1/' "$out.with" >"$out"
rm "$out.with"
