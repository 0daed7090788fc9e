/// The bytes before the samples of a file of linear samples. Its length never changes, so that it is written again in one
/// piece whenever samples were added.
protocol LinearHeader: Sendable {
  /// How samples have to be written in such a file.
  var sampleFormat: SampleFormat { get }
  /// Bytes of samples that fit.
  var limit: Int64 { get }
  /// - Parameter dataSize: bytes of samples.
  func bytes(dataSize: Int64) -> [UInt8]
}
