# A film with text in the forms that Matroska has: SubRip for the hard of hearing, WebVTT with places, SubStation Alpha with an
# attached file.
printf '1\n00:00:01,000 --> 00:00:02,000\n<i>Hello</i>\n\n2\n00:00:03,000 --> 00:00:05,000\n[door]\n' >"$out.srt"
cat >"$out.vtt" <<'TEXT'
WEBVTT

first
00:01.000 --> 00:02.000 line:0 align:left
<b>Bonjour</b>

00:03.000 --> 00:05.000
deux
TEXT
cat >"$out.ass" <<'TEXT'
[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Alignment
Style: Default,Arial,20,&H00FFFFFF,0,0,2
Style: Sign,Serif,20,&H000000FF,-1,0,8

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hallo, {\i1}Welt
Dialogue: 1,0:00:01.50,0:00:05.00,Sign,,0,0,0,,EXIT
TEXT
printf 'no real font' >"$out.ttf"
ff -i "$(fixture base.mp4)" -i "$out.srt" -i "$out.vtt" -i "$out.ass" -map 0:v -map 1 -map 2 -map 3 -c copy \
  -attach "$out.ttf" -metadata:s:t mimetype=font/ttf -metadata:s:t filename=Serif.ttf "${exact[@]}" \
  -metadata:s:s:0 language=eng -metadata:s:s:1 language=fra -metadata:s:s:2 language=deu \
  -disposition:s:0 hearing_impaired -disposition:s:1 forced -f matroska "$out"
rm "$out".srt "$out".vtt "$out".ass "$out".ttf
