# Says 600 s in mvhd, tkhd and mdhd; holds 10 s (case P037).
perl "$fixtures/boxes.pl" duration=600 "$(fixture fragmented.mp4)" "$out"
