# A media segment without its init: moof and mdat only.
perl "$fixtures/boxes.pl" segment "$(fixture fragmented.mp4)" "$out"
