import CFFmpeg
import MediaEngine

/// How channels are mixed to another layout: ITU-R BS.775 coefficients, not normalised, because normalising would
/// make dialogue too quiet. What goes over full scale is the limiter's affair.
struct MixMatrix: Equatable {
  /// Levels that a stream may state for itself (AC-3's `cmixlev`, `surmixlev`).
  struct Levels: Equatable {
    var center: Float = half
    var surround: Float = half
    /// Off unless asked for: small speakers only distort from it.
    var lowFrequency: Float = 0

    /// −3 dB.
    static let half: Float = 0.707_106_78
  }

  let inputs: Int
  let outputs: Int
  /// By output, then by input.
  let gains: [Float]
  let isIdentity: Bool

  init(from: AudioFormat, to: AudioDeviceFormat, levels: Levels) {
    inputs = max(from.channelCount, 1)
    outputs = max(to.channelCount, 1)
    let sources = Self.channels(mask: from.channelMask, count: inputs)
    let targets = Self.channels(mask: to.channelMask, count: outputs)
    var gains = [Float](repeating: 0, count: inputs * outputs)
    for (input, source) in sources.enumerated() {
      for (output, gain) in Self.shares(of: source, at: input, among: sources, in: targets, levels) {
        gains[output * inputs + input] += gain
      }
    }
    self.gains = gains
    let (inputs, outputs) = (inputs, outputs)
    isIdentity =
      inputs == outputs
      && gains.indices.allSatisfy { gains[$0] == ($0 / inputs == $0 % inputs ? 1 : 0) }
  }

  /// Channel numbers of FFmpeg's masks, in order; nil for a channel nobody has named.
  private static func channels(mask: UInt64, count: Int) -> [Int?] {
    var mask = mask
    if mask.nonzeroBitCount != count {
      var layout = AVChannelLayout()
      av_channel_layout_default(&layout, Int32(clamping: count))
      mask = layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0
      av_channel_layout_uninit(&layout)
    }
    let named = (0..<64).filter { mask & (1 << UInt64($0)) != 0 }
    return named.count == count ? named : Array(repeating: nil, count: count)
  }

  private enum Place {
    static let frontLeft = 0
    static let frontRight = 1
    static let center = 2
    static let lowFrequency = 3
    static let backLeft = 4
    static let backRight = 5
    static let frontLeftOfCenter = 6
    static let frontRightOfCenter = 7
    static let backCenter = 8
    static let sideLeft = 9
    static let sideRight = 10
    static let downmixLeft = 29
    static let downmixRight = 30
  }

  private static func shares(
    of source: Int?, at index: Int, among sources: [Int?], in targets: [Int?], _ levels: Levels
  )
    -> [(Int, Float)]
  {
    guard let source else { return index < targets.count ? [(index, Float(1))] : [] }
    if let same = targets.firstIndex(of: source) { return [(same, Float(1))] }
    func at(_ place: Int) -> Int? { targets.firstIndex(of: place) }
    if targets.count == 1 { return monoShare(source, among: sources, levels) }
    let left = at(Place.frontLeft) ?? at(Place.downmixLeft)
    let right = at(Place.frontRight) ?? at(Place.downmixRight)
    func both(_ gain: Float) -> [(Int, Float)] { [left, right].compactMap { place in place.map { ($0, gain) } } }
    func surround(_ other: Int, _ front: Int?) -> [(Int, Float)] {
      if let other = at(other) { return [(other, sources.contains(targets[other]) ? Levels.half : Float(1))] }
      return front.map { [($0, levels.surround)] } ?? []
    }
    switch source {
    case Place.center:
      // One channel alone is not a dialogue channel: it goes to both sides whole.
      return both(sources.count == 1 ? 1 : levels.center)
    case Place.lowFrequency: return levels.lowFrequency > 0 ? both(levels.lowFrequency) : []
    case Place.backLeft: return surround(Place.sideLeft, left)
    case Place.backRight: return surround(Place.sideRight, right)
    case Place.sideLeft: return surround(Place.backLeft, left)
    case Place.sideRight: return surround(Place.backRight, right)
    case Place.backCenter:
      let pair = [at(Place.backLeft) ?? at(Place.sideLeft), at(Place.backRight) ?? at(Place.sideRight)]
        .compactMap { $0 }
      return pair.count == 2 ? pair.map { ($0, Levels.half) } : both(levels.surround * Levels.half)
    case Place.frontLeft, Place.frontLeftOfCenter, Place.downmixLeft: return left.map { [($0, Float(1))] } ?? []
    case Place.frontRight, Place.frontRightOfCenter, Place.downmixRight: return right.map { [($0, Float(1))] } ?? []
    default:
      // Heights and wides: names of left ones come first in pairs, then centres.
      guard let name = isLeft(source) else { return both(levels.surround * Levels.half) }
      return (name ? left : right).map { [($0, levels.surround)] } ?? []
    }
  }

  /// Half of what would go to each side: equal sides keep their level.
  private static func monoShare(_ source: Int, among sources: [Int?], _ levels: Levels) -> [(Int, Float)] {
    switch source {
    case Place.center: [(0, sources.count == 1 ? 1 : levels.center)]
    case Place.lowFrequency: levels.lowFrequency > 0 ? [(0, levels.lowFrequency)] : []
    case Place.frontLeft, Place.frontRight, Place.downmixLeft, Place.downmixRight, Place.frontLeftOfCenter,
      Place.frontRightOfCenter:
      [(0, 0.5)]
    default: [(0, levels.surround / 2)]
    }
  }

  /// Nil for centre channels.
  private static func isLeft(_ channel: Int) -> Bool? {
    switch channel {
    case 12, 15, 31, 33, 36, 40: true
    case 14, 17, 32, 34, 37, 39: false
    default: nil
    }
  }
}
