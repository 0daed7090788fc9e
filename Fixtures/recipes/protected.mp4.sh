# Sample entry says `encv` (Common Encryption); there is no key.
ff -i "$(fixture base.mp4)" -map 0:v -c copy "${exact[@]}" -encryption_scheme cenc-aes-ctr \
  -encryption_key 76a6c65c5ea762046bd749a2e632ccbb -encryption_kid a7e61c373e219033c21091fa607bf3b8 -f mp4 "$out"
