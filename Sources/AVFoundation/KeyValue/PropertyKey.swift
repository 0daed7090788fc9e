/// The properties that can be observed, over all classes. A key names the property whatever class declares it.
package enum PropertyKey: String, Hashable, Sendable {
  // AVPlayer
  case status, error, rate, defaultRate, timeControlStatus, reasonForWaitingToPlay, currentItem, actionAtItemEnd
  case automaticallyWaitsToMinimizeStalling, volume, isMuted
  // AVPlayerItem
  case duration, tracks, presentationSize, loadedTimeRanges, seekableTimeRanges
  case isPlaybackLikelyToKeepUp, isPlaybackBufferFull, isPlaybackBufferEmpty
  case canPlayFastForward, canPlaySlowForward, canPlayReverse, canPlaySlowReverse, canPlayFastReverse
  case canStepForward, canStepBackward, timebase, currentMediaSelection
  case forwardPlaybackEndTime, reversePlaybackEndTime, preferredForwardBufferDuration
  // AVPlayerItemTrack
  case isEnabled, currentVideoFrameRate
  // AVPlayerLooper
  case loopCount, loopingPlayerItems
  // AVPlayerLayer
  case isReadyForDisplay, player, videoGravity, videoRect, pixelBufferAttributes
}
