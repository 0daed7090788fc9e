# Captions of CEA-608 in a track of their own: HELLO from 1 s on, WORLD from 3 s on, nothing from 5 s on.
{
  printf 'Scenarist_SCC V1.0\n\n'
  printf '00:00:01:00\t9420 9420 94ae 94ae 9470 9470 c845 4c4c 4f80 942f 942f\n\n'
  printf '00:00:03:00\t9420 9420 94ae 94ae 9470 9470 574f 524c c480 942f 942f\n\n'
  printf '00:00:05:00\t942c 942c\n\n'
} >"$out.scc"
ff -i "$(fixture base.mp4)" -i "$out.scc" -map 0:v -map 1:s -c copy "${exact[@]}" -f mov "$out"
rm "$out.scc"
