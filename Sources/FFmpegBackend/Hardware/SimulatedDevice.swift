import CFFmpeg
import Synchronization

/// A device that decodes with the processor and fails when told to: what a test puts in a real one's place.
package final class SimulatedDevice: HardwareDevice {
  let name = "simulated"
  private let packets = Atomic(0)
  private let downloads = Atomic(0)
  private let failingPacket: Int
  private let failingDownload: Int

  /// - Parameters: which call fails first, counted from 0; never when nil.
  package init(failingAtPacket packet: Int? = nil, failingAtDownload download: Int? = nil) {
    failingPacket = packet ?? .max
    failingDownload = download ?? .max
  }

  /// How many pictures it brought to memory.
  package var downloadCount: Int { downloads.load(ordering: .relaxed) }

  func decoder(for codec: AVCodecID) -> UnsafePointer<AVCodec>? { nil }

  func attach(to context: UnsafeMutablePointer<AVCodecContext>, codec: UnsafePointer<AVCodec>) -> Bool { true }

  func check() -> Int32 {
    packets.wrappingAdd(1, ordering: .relaxed).oldValue >= failingPacket ? ff_error(5) : 0
  }

  func download(_ surface: UnsafePointer<AVFrame>, into frame: UnsafeMutablePointer<AVFrame>) -> Int32 {
    downloads.wrappingAdd(1, ordering: .relaxed).oldValue >= failingDownload ? ff_error(5) : 1
  }
}
