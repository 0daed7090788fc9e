# Variable rate: frames 33, 67 or 133 ms long, one gap of a second; the code counts the frames of this file.
ff -f lavfi -i "$(picture 320x180 30 10),setpts='if(eq(N,0),0,PREV_OUTPTS+(1+mod(N,2)+3*eq(mod(N,7),0)+30*eq(N,150))/30/TB)'" \
  -fps_mode passthrough -enc_time_base 1/90000 $(x264 60 bframes=2) "${exact[@]}" -video_track_timescale 90000 -f mp4 "$out"
