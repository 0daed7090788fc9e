# The media box is last and has size 0: to the end of the file (case P033).
perl "$fixtures/boxes.pl" mdat0 "$(fixture base.mp4)" "$out"
