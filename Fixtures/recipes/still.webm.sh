# One picture that does not say how long it is shown; the container lasts two seconds.
ff -f lavfi -i "testsrc2=size=64x48:rate=1/2" -frames:v 1 -c:v libvpx "${exact[@]}" -f webm "$out"
# The track's default duration becomes an empty element of the same length.
perl -0777 -pi -e 's/\x23\xE3\x83\x84..../\xEC\x86\0\0\0\0\0\0/s or die "no default duration"' "$out"
