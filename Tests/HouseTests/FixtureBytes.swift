import Foundation

enum FixtureBytes {
  static func counting(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0) }) }
}
