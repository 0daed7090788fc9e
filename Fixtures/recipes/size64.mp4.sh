# The media box has a 64-bit size (case P033).
perl "$fixtures/boxes.pl" size64 "$(fixture plain.mp4)" "$out"
