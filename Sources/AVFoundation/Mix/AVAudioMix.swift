public import Foundation

/// What is done to the sound of a media's tracks. A track without parameters sounds as it is.
open class AVAudioMix: NSObject, NSCopying, NSMutableCopying {
  var parameters: [TrackParameters]

  init(_ parameters: [TrackParameters]) {
    self.parameters = parameters
  }

  /// A mix that changes nothing.
  public override init() { parameters = [] }

  /// Parameters whose track the media does not have count for nothing; of several for one track the last count.
  open var inputParameters: [AVAudioMixInputParameters] { parameters.map { AVAudioMixInputParameters($0) } }

  open func copy(with zone: NSZone? = nil) -> Any { AVAudioMix(parameters) }

  open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableAudioMix(parameters) }

  open override func isEqual(_ object: Any?) -> Bool { (object as? AVAudioMix)?.parameters == parameters }

  open override var hash: Int { parameters.count }
}

/// A mix that can be changed. A player's item takes a copy: what is changed later counts once it is assigned again.
open class AVMutableAudioMix: AVAudioMix {
  open override var inputParameters: [AVAudioMixInputParameters] {
    get { super.inputParameters }
    set { parameters = newValue.map(\.parameters) }
  }
}
