# Five seconds of Opus in fragments without an edit list: the last sample's stated duration alone tells of the padding.
ff -i "$(fixture tone.opus)" -c copy "${exact[@]}" -movflags empty_moov+default_base_moof -use_editlist 0 -f mp4 "$out"
