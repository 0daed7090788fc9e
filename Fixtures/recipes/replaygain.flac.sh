# A tone with ReplayGain's tags.
ff -f lavfi -i "$(tone 440 1 44100 2)" -c:a flac -fflags +bitexact -threads 1 \
  -metadata REPLAYGAIN_TRACK_GAIN="-6.02 dB" -metadata REPLAYGAIN_TRACK_PEAK="0.25" \
  -metadata REPLAYGAIN_ALBUM_GAIN="+2.5 dB" -metadata REPLAYGAIN_ALBUM_PEAK="0.9" -f flac "$out"
