import CoreMedia
import Foundation

/// What a player keeps that the engine does not know.
struct PlayerSettings: Sendable {
  var appliesCriteria = true
  var criteria: [AVMediaCharacteristic: AVPlayerMediaSelectionCriteria] = [:]
  var sourceClock: CMClock?
  var audioDevice: String?
  var preventsDisplaySleep = false
  var allowsExternalPlayback = true
  var usesExternalScreen = false
  var externalGravity = AVLayerVideoGravity.resizeAspect
  var backgroundPolicy = AVPlayerAudiovisualBackgroundPlaybackPolicy.automatic
}
