# 16 × 12 patches of 20 pixels in RGB of 10 bits: 32 greys up to 900 of 1023, then colours.
place='floor(X/20)+16*floor(Y/20)'
colour() { printf 'if(lt(%s\\,32)\\,900*(%s)/31\\,900*mod((%s)*%s+%s\\,193)/192)' "$place" "$place" "$place" "$1" "$2"; }
ff -f lavfi -i "color=black:size=320x240:rate=5:duration=0.4,format=gbrp10le,geq=r=$(colour 37 0):g=$(colour 71 50):b=$(colour 113 100)" \
  -c:v ffv1 -level 3 "${exact[@]}" -f matroska "$out"
