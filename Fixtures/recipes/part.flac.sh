# The first two seconds of five, copied: the header still counts the samples of all.
ff -i "$(fixture tone.flac)" -t 2 -c copy "${exact[@]}" -f flac "$out"
