# A tone with ReplayGain's tags as ID3 texts of the user's own.
ff -f lavfi -i "$(tone 440 1 44100 2)" -c:a libmp3lame -b:a 96k "${exact[@]}" -id3v2_version 3 \
  -metadata REPLAYGAIN_TRACK_GAIN="-6.02 dB" -metadata REPLAYGAIN_TRACK_PEAK="0.25" -f mp3 "$out"
