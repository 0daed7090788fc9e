package import Foundation
package import MediaRuntime

/// The content of a `data:` address (RFC 2397).
package struct DataURL: Sendable {
  package let data: Data
  /// As written, without parameters; `text/plain` when the address names none.
  package let mimeType: String

  package init(_ address: String) throws(MediaError) {
    guard let comma = address.firstIndex(of: ","), address.lowercased().hasPrefix("data:") else {
      throw Self.malformed("A data: address needs a comma before its content.")
    }
    let header = address[address.index(address.startIndex, offsetBy: 5)..<comma]
    let content = address[address.index(after: comma)...]
    let parts = header.split(separator: ";", omittingEmptySubsequences: false)
    mimeType = parts.first.map { String($0).lowercased() }.flatMap { $0.isEmpty ? nil : $0 } ?? "text/plain"
    guard let bytes = Self.decodingPercents(content.utf8) else {
      throw Self.malformed("The data: address holds a damaged percent escape.")
    }
    if parts.dropFirst().contains(where: { $0.lowercased() == "base64" }) {
      guard let decoded = Data(base64Encoded: bytes, options: .ignoreUnknownCharacters) else {
        throw Self.malformed("The data: address says base64, but its content is none.")
      }
      data = decoded
    } else {
      data = bytes
    }
  }

  private static func malformed(_ message: String) -> MediaError {
    MediaError(.addressMalformed, message, address: "data:")
  }

  private static func decodingPercents(_ text: Substring.UTF8View) -> Data? {
    var result = Data()
    result.reserveCapacity(text.count)
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(hexDigit), let low = iterator.next().flatMap(hexDigit) else {
        return nil
      }
      result.append(high << 4 | low)
    }
    return result
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
    default: nil
    }
  }
}
