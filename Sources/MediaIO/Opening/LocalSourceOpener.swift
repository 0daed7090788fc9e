package import Foundation
package import MediaRuntime

/// Opens `file:` and `data:` addresses.
package final class LocalSourceOpener: SourceOpener {
  package init() {}

  package func source(for url: URL, options: SourceOptions, scheduler: any Scheduler) throws(MediaError)
    -> any ByteSource
  {
    let address = url.absoluteString
    switch url.scheme?.lowercased() {
    case "file":
      return FileSource(path: try Self.path(of: url), address: address)
    case "data":
      return MemorySource(try DataURL(address).data, address: address)
    case nil:
      throw MediaError(
        .addressMalformed,
        "“\(address)” has no scheme. For a file on this computer use URL(fileURLWithPath:) in place of URL(string:).",
        address: address)
    case "http", "https":
      throw MediaError(
        .addressUnsupported, "Media on the network can't be played yet. Download the file and open it from the disk.",
        address: address)
    case let scheme?:
      throw MediaError(
        .addressUnsupported,
        "The scheme “\(scheme)” is not supported. Use a file: or data: address, or a file's path.",
        address: address)
    }
  }

  /// The path of a `file:` address: decoded once, so that a name which itself holds `%20` stays reachable.
  private static func path(of url: URL) throws(MediaError) -> String {
    if let host = url.host, !host.isEmpty, host.lowercased() != "localhost" {
      throw MediaError(
        .addressUnsupported,
        "The address names the computer “\(host)”. Mount its folder and use the path, or write file:/// with three slashes.",
        address: url.absoluteString)
    }
    let path = url.path(percentEncoded: false)
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw MediaError(
        .addressMalformed, "The file address holds no usable path. Write file:/// and the full path.",
        address: url.absoluteString)
    }
    return path
  }
}
