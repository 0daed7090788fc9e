# Subtitles of a Blu-ray in a frame of 64 by 32: from 1 s to 3 s a picture of 8 by 4 at (10, 20), its left half opaque white,
# its right half half-transparent; then nothing; from 4 s on a forced one.
perl -e '
  sub segment { my ($time, $type, $body) = @_; print "PG", pack("NNCn", $time * 90000, 0, $type, length $body), $body }
  sub show {
    my ($time, $number, $state, @objects) = @_;
    my $body = pack("nnCnCCCC", 64, 32, 0x10, $number, $state, 0, 0, scalar @objects);
    $body .= pack("nCCnn", 0, 0, $_, 10, 20) for @objects;
    segment($time, 0x16, $body);
    segment($time, 0x17, pack("CCnnnn", 1, 0, 10, 20, 8, 4));
    if (@objects) {
      segment($time, 0x14, pack("CC", 0, 0) . pack("C5", 1, 235, 128, 128, 255) . pack("C5", 2, 235, 128, 128, 128));
      my $rows = (pack("CCC", 0, 0x84, 1) . pack("CCC", 0, 0x84, 2) . pack("CC", 0, 0)) x 4;
      segment($time, 0x15, pack("nCC", 0, 0, 0xC0) . substr(pack("N", length($rows) + 4), 1) . pack("nn", 8, 4) . $rows);
    }
    segment($time, 0x80, "");
  }
  binmode STDOUT;
  show(1, 0, 0x80, 0);
  show(3, 1, 0);
  show(4, 2, 0x80, 0x40);
' >"$out"
