import AVFAudio
public import CoreMedia
public import Dispatch
public import Foundation
import MediaEngine
import MediaRuntime

/// Told when what was output is void. Called on the queue given with it.
@preconcurrency
public protocol AVPlayerItemOutputPushDelegate: NSObjectProtocol, Sendable {
  /// After a seek or a change of direction: what was told ahead of its time won't come true.
  func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPushDelegate {
  public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}

/// Told what subtitles say. Called on the queue given with it.
@preconcurrency
public protocol AVPlayerItemLegibleOutputPushDelegate: AVPlayerItemOutputPushDelegate {
  /// What the selected subtitles show from an item time on, in place of what they showed before.
  /// - Parameters:
  ///   - strings: one for each cue, in order of beginning, with attributes by the `kCMTextMarkupAttribute_…` keys;
  ///     empty when nothing is shown any more. Subtitles that are pictures give none.
  ///   - nativeSamples: empty: samples as they are stored are not output here.
  func legibleOutput(
    _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [NSAttributedString],
    nativeSampleBuffers nativeSamples: [Any], forItemTime itemTime: CMTime)
}

extension AVPlayerItemLegibleOutputPushDelegate {
  public func legibleOutput(
    _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [NSAttributedString],
    nativeSampleBuffers nativeSamples: [Any], forItemTime itemTime: CMTime
  ) {}
}

/// The text of an item's selected subtitles, pushed as it changes.
open class AVPlayerItemLegibleOutput: AVPlayerItemOutput, @unchecked Sendable {
  /// How much the attributes say of the text's look.
  public struct TextStylingResolution: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What the media say, completed for a viewer who has set nothing.
    public static let `default` = Self(rawValue: "AVPlayerItemLegibleOutputTextStylingResolutionDefault")
    /// Only what the media say.
    public static let sourceAndRulesOnly = Self(
      rawValue: "AVPlayerItemLegibleOutputTextStylingResolutionSourceAndRulesOnly")
  }

  private struct Listener: Sendable {
    weak var delegate: (any AVPlayerItemLegibleOutputPushDelegate)?
    var queue: DispatchQueue?
    var resolution = TextStylingResolution.default
    /// What was told last: other layers change by themselves.
    var told: [SubtitleCue] = []
  }

  private let output = SubtitleOutput()
  private let listener = Lock(Listener())
  private let scheduler = EngineEnvironment.forNewObjects.scheduler

  public override convenience init() {
    self.init(mediaSubtypesForNativeRepresentation: [])
  }

  /// - Parameter subtypes: FourCCs of samples that are wanted as they are stored. They are accepted, and not output yet.
  /// - Precondition: no closed captions (`c608`) among them.
  public init(mediaSubtypesForNativeRepresentation subtypes: [NSNumber]) {
    precondition(
      !subtypes.contains { $0.uint32Value == kCMClosedCaptionFormatType_CEA608 },
      "AVPlayerItemLegibleOutput gives no native samples of CEA-608 captions.")
    super.init()
    var handlers = SubtitleOutput.Handlers()
    handlers.onChange = { [weak self] shown, time in self?.push(shown, time) }
    handlers.onFlush = { [weak self] in
      self?.tell("legible output flushed") { $0.outputSequenceWasFlushed($1) }
    }
    output.setHandlers(handlers)
  }

  override var subtitles: SubtitleOutput? { output }

  private func push(_ shown: ShownSubtitles, _ time: CMTime) {
    let cues = shown.layers.filter { $0.place == .own }.flatMap(\.cues).filter { $0.text != nil }
    let (resolution, isNew) = listener.withLock { listener in
      defer { listener.told = cues }
      return (listener.resolution, listener.told != cues)
    }
    guard isNew else { return }
    let strings = Unchecked(cues.compactMap { LegibleText.string(of: $0, resolution) })
    tell("legible output") {
      $0.legibleOutput($1, didOutputAttributedStrings: strings.value, nativeSampleBuffers: [], forItemTime: time)
    }
  }

  private func tell(
    _ name: String,
    _ call: @escaping @Sendable (any AVPlayerItemLegibleOutputPushDelegate, AVPlayerItemLegibleOutput) -> Void
  ) {
    let (delegate, queue) = listener.withLock { ($0.delegate, $0.queue) }
    guard delegate != nil else { return }
    scheduler.deliver(name, to: queue) { [weak self, weak delegate] in
      if let self, let delegate { call(delegate, self) }
    }
  }

  /// Not kept alive; nil as queue is the main queue.
  open func setDelegate(
    _ delegate: (any AVPlayerItemLegibleOutputPushDelegate)?, queue delegateQueue: DispatchQueue?
  ) {
    listener.withLock { listener in
      listener.delegate = delegate
      listener.queue = delegateQueue
    }
  }

  open var delegate: (any AVPlayerItemLegibleOutputPushDelegate)? { listener.withLock { $0.delegate } }
  open var delegateQueue: DispatchQueue? { listener.withLock { $0.queue } }

  /// Seconds before its time that a change is told while playing, so that there is time to draw it. Zero at first; what is
  /// not finite or negative counts as zero, and a minute is the most.
  open var advanceIntervalForDelegateInvocation: TimeInterval {
    get { output.advance.seconds }
    set {
      let seconds = newValue.isFinite ? min(max(newValue, 0), 60) : 0
      output.advance = .milliseconds(Int64((seconds * 1_000).rounded()))
    }
  }

  /// - Precondition: one of the two that there are.
  open var textStylingResolution: TextStylingResolution {
    get { listener.withLock { $0.resolution } }
    set {
      precondition(
        newValue == .default || newValue == .sourceAndRulesOnly,
        "AVPlayerItemLegibleOutput.textStylingResolution must be .default or .sourceAndRulesOnly.")
      listener.withLock { $0.resolution = newValue }
    }
  }
}
