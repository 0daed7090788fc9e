public import CoreMedia
public import Foundation

/// A moment: on the host's clock, on a device's row of samples, or both.
// @unchecked Sendable: immutable.
open class AVAudioTime: NSObject, @unchecked Sendable {
  private let stamp: AudioTimeStamp
  private let rate: Double

  /// - Parameter sampleRate: of the stamp's sample time; 0 when it has none.
  public init(audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
    stamp = ts.pointee
    rate = sampleRate
    super.init()
  }

  /// - Parameter hostTime: in the host clock's units, which are nanoseconds.
  public convenience init(hostTime: UInt64) {
    var stamp = AudioTimeStamp()
    stamp.mHostTime = hostTime
    stamp.mFlags = .hostTimeValid
    self.init(stamp, 0)
  }

  public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(sampleTime)
    stamp.mFlags = .sampleTimeValid
    self.init(stamp, sampleRate)
  }

  public convenience init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    var stamp = AudioTimeStamp()
    stamp.mHostTime = hostTime
    stamp.mSampleTime = Double(sampleTime)
    stamp.mFlags = [.hostTimeValid, .sampleTimeValid]
    self.init(stamp, sampleRate)
  }

  private init(_ stamp: AudioTimeStamp, _ rate: Double) {
    self.stamp = stamp
    self.rate = rate
    super.init()
  }

  /// Seconds as a count of the host clock's units; 0 for negative ones, and for what is no number.
  open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
    let value = (seconds * 1_000_000_000).rounded()
    guard value > 0 else { return 0 }
    return value >= 18_446_744_073_709_551_616 ? .max : UInt64(value)
  }

  open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1_000_000_000 }

  open var isHostTimeValid: Bool { stamp.mFlags.contains(.hostTimeValid) }
  /// Nanoseconds; only with `isHostTimeValid`.
  open var hostTime: UInt64 { stamp.mHostTime }
  open var isSampleTimeValid: Bool { stamp.mFlags.contains(.sampleTimeValid) && rate > 0 }
  /// Only with `isSampleTimeValid`.
  open var sampleTime: AVAudioFramePosition {
    let time = stamp.mSampleTime.rounded(.down)
    guard time == time else { return 0 }
    return time >= 9.2e18 ? .max : time > -9.2e18 ? AVAudioFramePosition(time) : .min
  }
  /// Samples per second of `sampleTime`.
  open var sampleRate: Double { rate }
  open var audioTimeStamp: AudioTimeStamp { stamp }

  /// Adds what is missing of this time by a moment that has both: a time on the host's clock becomes one on the row of
  /// samples too, and the other way round.
  ///
  /// Nil when the anchor lacks one of them, when this time has none, and when both have samples of different rates.
  open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
    guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid else { return nil }
    if isHostTimeValid, isSampleTimeValid { return self }
    let anchor = anchorTime.stamp
    var made = AudioTimeStamp()
    made.mFlags = [.hostTimeValid, .sampleTimeValid]
    if isSampleTimeValid {
      guard rate == anchorTime.rate else { return nil }
      let seconds = (stamp.mSampleTime - anchor.mSampleTime) / rate
      let distance = Self.hostTime(forSeconds: abs(seconds))
      let (host, overflow) =
        seconds < 0
        ? anchor.mHostTime.subtractingReportingOverflow(distance) : anchor.mHostTime.addingReportingOverflow(distance)
      guard !overflow else { return nil }
      made.mHostTime = host
      made.mSampleTime = stamp.mSampleTime
      return AVAudioTime(made, rate)
    }
    guard isHostTimeValid else { return nil }
    let isLater = stamp.mHostTime >= anchor.mHostTime
    let distance = isLater ? stamp.mHostTime - anchor.mHostTime : anchor.mHostTime - stamp.mHostTime
    let samples = Self.seconds(forHostTime: distance) * anchorTime.rate
    made.mHostTime = stamp.mHostTime
    made.mSampleTime = anchor.mSampleTime + (isLater ? samples : -samples)
    return AVAudioTime(made, anchorTime.rate)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioTime else { return false }
    return isHostTimeValid == other.isHostTimeValid && isSampleTimeValid == other.isSampleTimeValid
      && (!isHostTimeValid || hostTime == other.hostTime)
      && (!isSampleTimeValid || stamp.mSampleTime == other.stamp.mSampleTime && rate == other.rate)
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(isHostTimeValid ? hostTime : 0)
    hasher.combine(isSampleTimeValid ? stamp.mSampleTime : 0)
    return hasher.finalize()
  }

  open override var description: String {
    let host = isHostTimeValid ? "\(Self.seconds(forHostTime: hostTime)) s" : "none"
    let samples = isSampleTimeValid ? "\(stamp.mSampleTime) at \(rate) Hz" : "none"
    return "<AVAudioTime: host \(host), samples \(samples)>"
  }
}
