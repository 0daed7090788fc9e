# ADTS: no times, no index.
ff -i "$(fixture tone.m4a)" -c copy "${exact[@]}" -f adts "$out"
