internal import CLinux

/// A pipe that no program started by this process inherits, whenever it starts. The user closes both ends.
package struct Pipe: Sendable {
  package let reading: Int32
  package let writing: Int32

  /// - Returns: nil when the process has no descriptors left.
  package init?(nonblocking: Bool = false) {
    var ends: [Int32] = [-1, -1]
    guard linux_pipe(&ends, nonblocking ? 1 : 0) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
  }
}
