# Badly interleaved: all video bytes before all sound bytes.
perl "$fixtures/boxes.pl" apart "$(fixture plain.mp4)" "$out"
