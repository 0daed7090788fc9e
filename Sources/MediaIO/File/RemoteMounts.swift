import Foundation

/// Mounts whose reads can take as long as a network does.
enum RemoteMounts {
  private static let kinds: Set<Substring> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "afs", "coda", "lustre", "glusterfs", "davfs", "9p", "ncpfs",
  ]

  /// Whether the file system with this device number (`st_dev`) is on the network or behind FUSE (proc(5), mountinfo).
  static func hold(device: UInt64) -> Bool {
    guard let table = FileManager.default.contents(atPath: "/proc/self/mountinfo") else { return false }
    return hold(device: device, table: String(decoding: table, as: UTF8.self))
  }

  static func hold(device: UInt64, table: String) -> Bool {
    let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
    let minor = device & 0xFF | (device >> 12) & ~0xFF
    let name = "\(major):\(minor)"
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 3, fields[2] == name, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else {
        continue
      }
      let kind = fields[dash + 1]
      return kinds.contains(kind) || kind.hasPrefix("fuse")
    }
    return false
  }
}
