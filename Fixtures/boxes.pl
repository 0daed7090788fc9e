# Edits boxes of ISO base media files: boxes.pl HOW IN OUT. For recipes.
use strict;
use warnings;

my ($how, $in, $out) = @ARGV;
open(my $file, '<:raw', $in) or die "$in: $!";
my $data = do { local $/; <$file> };

# The top-level boxes as [type, header and body].
my @boxes;
for (my $at = 0; $at < length $data;) {
  my ($size, $type) = unpack('N a4', substr($data, $at, 8));
  $size = unpack('Q>', substr($data, $at + 8, 8)) if $size == 1;
  $size = length($data) - $at if $size == 0;
  push @boxes, [$type, substr($data, $at, $size)];
  $at += $size;
}

# Calls $edit with a reference to the body of each box of this type, at any depth of moov.
sub each_box {
  my ($body, $want, $edit) = @_;
  my $result = '';
  while (length $body >= 8) {
    my ($size, $type) = unpack('N a4', $body);
    my $inner = substr($body, 8, $size - 8);
    $inner = each_box($inner, $want, $edit) if $type =~ /^(moov|trak|mdia|minf|stbl|mvex)$/;
    $edit->(\$inner) if $type eq $want;
    $result .= pack('N a4', length($inner) + 8, $type) . $inner;
    $body = substr($body, $size);
  }
  return $result . $body;
}

# Adds $shift to all chunk offsets.
sub shift_chunks {
  my ($moov, $shift) = @_;
  return each_box($moov, 'stco', sub {
    my $body = shift;
    my ($flags, $count, @offsets) = unpack('N N N*', $$body);
    $$body = pack('N N N*', $flags, $count, map { $_ + $shift } @offsets);
  });
}

my $result = '';
if ($how eq 'size64') {
  my $seen = 0;
  for my $box (@boxes) {
    my ($type, $bytes) = @$box;
    if ($type eq 'mdat') {
      $bytes = pack('N a4 Q>', 1, 'mdat', length($bytes) + 8) . substr($bytes, 8);
      $seen = 1;
    } elsif ($type eq 'moov' && $seen) {
      $bytes = shift_chunks($bytes, 8);
    }
    $result .= $bytes;
  }
} elsif ($how eq 'mdat0') {
  die "mdat is not last" unless $boxes[-1][0] eq 'mdat';
  substr($boxes[-1][1], 0, 4) = pack('N', 0);
  $result = join '', map { $_->[1] } @boxes;
} elsif ($how =~ /^duration=(\d+)$/) {
  my $seconds = $1;
  for my $box (@boxes) {
    my ($type, $bytes) = @$box;
    if ($type eq 'moov') {
      my $movie_scale = 1000;
      $bytes = each_box($bytes, 'mvhd', sub {
        my $body = shift;
        $movie_scale = unpack('N', substr($$body, 12, 4));
        substr($$body, 16, 4) = pack('N', $movie_scale * $seconds);
      });
      $bytes = each_box($bytes, 'tkhd', sub {
        my $body = shift;
        substr($$body, 20, 4) = pack('N', $movie_scale * $seconds);
      });
      $bytes = each_box($bytes, 'mdhd', sub {
        my $body = shift;
        substr($$body, 16, 4) = pack('N', unpack('N', substr($$body, 12, 4)) * $seconds);
      });
    }
    $result .= $bytes;
  }
} elsif ($how eq 'apart') {
  # Chunks of the first track, then those of the second; all in one mdat in front of moov.
  my ($moov) = grep { $_->[0] eq 'moov' } @boxes;
  my (@tables, @ranges);
  each_box($moov->[1], 'stco', sub {
    my (undef, undef, @offsets) = unpack('N N N*', ${$_[0]});
    push @tables, [@offsets];
  });
  my ($mdat_start, $mdat_end, $at) = (0, 0, 0);
  for my $box (@boxes) {
    ($mdat_start, $mdat_end) = ($at, $at + length $box->[1]) if $box->[0] eq 'mdat';
    $at += length $box->[1];
  }
  my @all = sort { $a <=> $b } map { @$_ } @tables;
  my %end;
  $end{$all[$_]} = $_ < $#all ? $all[$_ + 1] : $mdat_end for 0 .. $#all;
  my $head = join '', map { $_->[0] =~ /^(moov|mdat)$/ ? '' : $_->[1] } @boxes;
  my ($payload, @new) = ('');
  for my $table (@tables) {
    push @new, [map {
      my $place = length($head) + 8 + length $payload;
      $payload .= substr($data, $_, $end{$_} - $_);
      $place;
    } @$table];
  }
  my $index = each_box($moov->[1], 'stco', sub {
    my $body = shift;
    my $offsets = shift @new;
    $$body = pack('N N N*', 0, scalar @$offsets, @$offsets);
  });
  $result = $head . pack('N a4', length($payload) + 8, 'mdat') . $payload . $index;
} elsif ($how eq 'damage') {
  $result = $data;
  my $length = length $data;
  for my $part (4 .. 8) {
    my $place = int($length * $part / 10);
    substr($result, $place, 200) = join '', map { chr(($_ * 37 + $part) & 255) } 1 .. 200;
  }
} elsif ($how eq 'segment') {
  my ($moof) = grep { $boxes[$_][0] eq 'moof' } 0 .. $#boxes;
  $result = $boxes[$moof][1] . $boxes[$moof + 1][1];
} else {
  die "unknown edit $how";
}
open(my $target, '>:raw', $out) or die "$out: $!";
print $target $result;
close $target or die "$out: $!";
