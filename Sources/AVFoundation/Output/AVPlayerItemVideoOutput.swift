import AVFAudio
public import CoreMedia
public import CoreVideo
public import Dispatch
public import Foundation
import MediaEngine
import MediaRuntime

/// Told when pictures come, and when those to come are void. Called on the queue given with it.
@preconcurrency
public protocol AVPlayerItemOutputPullDelegate: NSObjectProtocol, Sendable {
  /// New pictures are coming; once for each `requestNotificationOfMediaDataChange`.
  func outputMediaDataWillChange(_ sender: AVPlayerItemOutput)
  /// After a seek or a change of direction.
  func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPullDelegate {
  public func outputMediaDataWillChange(_ sender: AVPlayerItemOutput) {}
  public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}

/// Pictures of an item, pulled by its time. Each output keeps its own record of what was taken.
open class AVPlayerItemVideoOutput: AVPlayerItemOutput, @unchecked Sendable {
  private struct Listener: Sendable {
    weak var delegate: (any AVPlayerItemOutputPullDelegate)?
    var queue: DispatchQueue?
  }

  private let output = VideoFrameOutput(.pull)
  private let listener = Lock(Listener())
  private let scheduler = EngineEnvironment.forNewObjects.scheduler
  private let form: PixelBufferForm

  public override convenience init() {
    self.init(pixelBufferAttributes: nil)
  }

  /// - Parameter pixelBufferAttributes: format and size by the `kCVPixelBuffer…Key` names; nil gives the decoder's own.
  @preconcurrency
  public init(pixelBufferAttributes: [String: any Sendable]? = nil) {
    form = PixelBufferForm(pixelBufferAttributes)
    super.init()
    listen()
  }

  /// - Parameter outputSettings: the same attributes.
  /// - Precondition: not empty, and no compression is asked for.
  @preconcurrency
  public init(outputSettings: [String: any Sendable]?) {
    if let outputSettings, outputSettings.isEmpty || outputSettings[AVVideoCodecKey] != nil {
      preconditionFailure("AVPlayerItemVideoOutput needs output settings that are not empty and not compressed.")
    }
    form = PixelBufferForm(outputSettings)
    super.init()
    listen()
  }

  private func listen() {
    output.setHandlers(
      onFlush: { [weak self] in self?.tell("output flushed") { $0.outputSequenceWasFlushed($1) } },
      onDataAvailable: { [weak self] in self?.tell("output data") { $0.outputMediaDataWillChange($1) } })
  }

  private func tell(
    _ name: String, _ call: @escaping @Sendable (any AVPlayerItemOutputPullDelegate, AVPlayerItemOutput) -> Void
  ) {
    let (delegate, queue) = listener.withLock { ($0.delegate, $0.queue) }
    guard delegate != nil else { return }
    scheduler.deliver(name, to: queue) { [weak self, weak delegate] in
      if let self, let delegate { call(delegate, self) }
    }
  }

  override var frames: VideoFrameOutput? { output }

  /// Not kept alive; nil as queue is the main queue.
  open func setDelegate(_ delegate: (any AVPlayerItemOutputPullDelegate)?, queue delegateQueue: DispatchQueue?) {
    listener.withLock { $0 = Listener(delegate: delegate, queue: delegateQueue) }
  }

  open var delegate: (any AVPlayerItemOutputPullDelegate)? { listener.withLock { $0.delegate } }
  open var delegateQueue: DispatchQueue? { listener.withLock { $0.queue } }

  /// Asks for one call of the delegate when the next picture comes.
  /// - Parameter interval: not used: pictures come as early as they are decoded, at most sixteen of them ahead.
  open func requestNotificationOfMediaDataChange(withAdvanceInterval interval: TimeInterval) {
    output.requestAvailability()
  }

  /// Whether there is a picture for this time that was not taken from this output yet.
  open func hasNewPixelBuffer(forItemTime itemTime: CMTime) -> Bool {
    output.hasNewFrame(at: itemTime)
  }

  /// The picture to show at a time, and its own time; nil when there is none. Marks it as taken.
  ///
  /// The buffer is shared: write to it only after locking it for writing.
  open func copyPixelBuffer(
    forItemTime itemTime: CMTime, itemTimeForDisplay outItemTimeForDisplay: UnsafeMutablePointer<CMTime>?
  ) -> CVPixelBuffer? {
    guard let frame = output.frame(at: itemTime), let buffer = try? form.pixelBuffer(of: frame.picture) else {
      return nil
    }
    outItemTimeForDisplay?.pointee = frame.time
    return buffer
  }
}

/// The format and size that an app wants pictures in.
struct PixelBufferForm: Sendable {
  /// Accepted formats, the first is preferred; empty leaves the decoder's own.
  let formats: [UInt32]
  let width: Int?
  let height: Int?

  init(_ attributes: [String: Any]?) {
    switch attributes?[kCVPixelBufferPixelFormatTypeKey as String] {
    case let list as [Any]: formats = list.compactMap { Self.integer($0).flatMap { UInt32(exactly: $0) } }
    case let value?: formats = Self.integer(value).flatMap { UInt32(exactly: $0) }.map { [$0] } ?? []
    case nil: formats = []
    }
    let size = (
      attributes?[kCVPixelBufferWidthKey as String].flatMap(Self.integer),
      attributes?[kCVPixelBufferHeightKey as String].flatMap(Self.integer)
    )
    if let width = size.0, let height = size.1, width > 0, height > 0 {
      self.width = width
      self.height = height
    } else {
      width = nil
      height = nil
    }
  }

  func pixelBuffer(of picture: any VideoPicture) throws -> CVPixelBuffer {
    let native = try picture.pixelBuffer()
    let nativeFormat = CVPixelBufferGetPixelFormatType(native)
    let format = formats.isEmpty || formats.contains(nativeFormat) ? nativeFormat : formats.first ?? nativeFormat
    let fits =
      (width ?? CVPixelBufferGetWidth(native)) == CVPixelBufferGetWidth(native)
      && (height ?? CVPixelBufferGetHeight(native)) == CVPixelBufferGetHeight(native)
    if format == nativeFormat, fits { return native }
    return try picture.pixelBuffer(format: format, width: width, height: height)
  }

  private static func integer(_ value: Any) -> Int? {
    switch value {
    case let value as Int: value
    case let value as UInt32: Int(value)
    case let value as Int32: Int(value)
    case let value as NSNumber: value.intValue
    case let value as any BinaryInteger: Int(exactly: value)
    default: nil
    }
  }
}
