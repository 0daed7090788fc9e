public import CoreMedia
public import Foundation
import MediaEngine

/// What is done to one track's sound: its volume over time, its pitch at other speeds, a tap.
open class AVAudioMixInputParameters: NSObject, NSCopying, NSMutableCopying {
  var parameters: TrackParameters

  init(_ parameters: TrackParameters) {
    self.parameters = parameters
  }

  /// The track's; `kCMPersistentTrackID_Invalid` for none.
  open var trackID: CMPersistentTrackID { parameters.trackID }

  /// Instead of the item's; nil leaves that to the item.
  open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? { parameters.pitchAlgorithm }

  /// Hears and may change the track's sound; see `MTAudioProcessingTap`.
  open var audioTapProcessor: MTAudioProcessingTap? { parameters.tap }

  /// Sprocket's own: how loud dialogue is where a film's centre channel is mixed to fewer channels, in decibels; 0 has it
  /// whole on both sides. Nil leaves it to what the media state, or −3 dB.
  open var dialogueLevel: Float? { parameters.dialogueLevel }

  /// Sprocket's own: whether loud and quiet passages are brought near each other, as for listening at night.
  open var evensLoudness: Bool { parameters.evensLoudness }

  /// Says how the volume goes at a time. Behind a ramp, and behind a single change, it stays what it was then, up to the
  /// next change.
  /// - Returns: false before the first change, where the volume is 1; the pointers are left alone then.
  open func getVolumeRamp(
    for time: CMTime, startVolume: UnsafeMutablePointer<Float>?, endVolume: UnsafeMutablePointer<Float>?,
    timeRange: UnsafeMutablePointer<CMTimeRange>?
  ) -> Bool {
    guard let ramp = parameters.volume.ramp(at: time) else { return false }
    startVolume?.pointee = ramp.startVolume
    endVolume?.pointee = ramp.endVolume
    timeRange?.pointee = CMTimeRange(start: ramp.start, end: ramp.end)
    return true
  }

  open func copy(with zone: NSZone? = nil) -> Any { AVAudioMixInputParameters(parameters) }

  open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableAudioMixInputParameters(parameters) }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioMixInputParameters)?.parameters == parameters
  }

  open override var hash: Int { Int(parameters.trackID) }
}

/// Parameters that can be changed.
open class AVMutableAudioMixInputParameters: AVAudioMixInputParameters {
  override init(_ parameters: TrackParameters) { super.init(parameters) }

  /// Parameters for no track yet: set `trackID`.
  public init() { super.init(TrackParameters()) }

  /// - Parameter track: whose `trackID` is taken; nil leaves that open.
  public convenience init(track: AVAssetTrack?) {
    self.init()
    trackID = track?.trackID ?? kCMPersistentTrackID_Invalid
  }

  open override var trackID: CMPersistentTrackID {
    get { super.trackID }
    set { parameters.trackID = newValue }
  }

  open override var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
    get { super.audioTimePitchAlgorithm }
    set { parameters.pitchAlgorithm = newValue }
  }

  open override var audioTapProcessor: MTAudioProcessingTap? {
    get { super.audioTapProcessor }
    set { parameters.tap = newValue }
  }

  open override var dialogueLevel: Float? {
    get { super.dialogueLevel }
    set { parameters.dialogueLevel = newValue }
  }

  open override var evensLoudness: Bool {
    get { super.evensLoudness }
    set { parameters.evensLoudness = newValue }
  }

  /// From a time of the item on the volume is another one, up to where the next change begins. Volumes above 1 make the
  /// sound louder than it is. Volumes and times that are no numbers are ignored, volumes below 0 count as 0.
  open func setVolume(_ volume: Float, at time: CMTime) {
    parameters.volume.set(volume, at: time)
  }

  /// The volume goes in a straight line, and stays what it is in the end up to where the next change begins. Changes that
  /// were to begin within the range are void.
  open func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange) {
    parameters.volume.add(
      VolumeCurve.Ramp(start: timeRange.start, end: timeRange.end, startVolume: startVolume, endVolume: endVolume))
  }
}
