import AVFoundation

/// Pulls pictures at a display's pace, as a Metal view's draw loop does.
final class FramePuller: NSObject, AVPlayerItemOutputPullDelegate, @unchecked Sendable {
  let output: AVPlayerItemVideoOutput
  private let queue = DispatchQueue(label: "video output")
  private(set) var times: [CMTime] = []
  // What the delegate's queue writes is read there.
  private var told = (isWaitingForData: true, flushes: 0)
  var isWaitingForData: Bool { queue.sync { told.isWaitingForData } }
  var flushes: Int { queue.sync { told.flushes } }

  override init() {
    output = AVPlayerItemVideoOutput(pixelBufferAttributes: [
      kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    ])
    super.init()
    output.setDelegate(self, queue: queue)
    output.requestNotificationOfMediaDataChange(withAdvanceInterval: 0.03)
  }

  func outputMediaDataWillChange(_ sender: AVPlayerItemOutput) { told.isWaitingForData = false }
  func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) { told.flushes += 1 }

  /// One pass of the draw loop.
  func draw() -> (width: Int, planes: Int, luma: UInt8)? {
    let itemTime = output.itemTime(forHostTime: CACurrentMediaTime())
    guard output.hasNewPixelBuffer(forItemTime: itemTime) else { return nil }
    var displayTime = CMTime.zero
    guard let buffer = output.copyPixelBuffer(forItemTime: itemTime, itemTimeForDisplay: &displayTime) else {
      return nil
    }
    times.append(displayTime)
    guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, 0) else { return nil }
    let luma = base.assumingMemoryBound(to: UInt8.self)[CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) * 2]
    return (CVPixelBufferGetWidthOfPlane(buffer, 0), CVPixelBufferGetPlaneCount(buffer), luma)
  }
}
