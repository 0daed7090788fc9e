package import MediaRuntime

/// What the examination of one file may cost, so that hostile media ends too.
package struct ExaminationLimits: Sendable {
  /// More than a day of film with sound in small packets.
  package var packets = 40_000_000
  /// Time for every file, and more by its size: a slow machine takes a second for what a film keeps in 16 KiB.
  package var time = Nanoseconds.seconds(Int64(120))
  package var bytesPerSecond: Int64 = 16 << 10

  package init() {}

  func time(forBytes bytes: Int64?) -> Nanoseconds {
    .seconds(time.seconds + Double(max(bytes ?? .max, 0)) / Double(max(bytesPerSecond, 1)))
  }
}
