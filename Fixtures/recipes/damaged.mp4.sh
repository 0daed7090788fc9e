# Bytes overwritten in the middle: decodes with complaints.
perl "$fixtures/boxes.pl" damage "$(fixture base.mp4)" "$out"
