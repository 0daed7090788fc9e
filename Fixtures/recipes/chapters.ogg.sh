# Chapters as Ogg's comments have them: none states its end, and they are not in order of time.
ff -f lavfi -i "$(tone 440 3 48000 1)" -c:a libvorbis -metadata CHAPTER001=00:00:00.000 -metadata CHAPTER001NAME=One \
  -metadata CHAPTER002=00:00:02.000 -metadata CHAPTER002NAME=Three -metadata CHAPTER003=00:00:00.500 \
  -metadata CHAPTER003NAME=Two "${exact[@]}" -f ogg "$out"
