import Glibc

/// Old encodings of text by way of the C library's converters.
enum TextEncodings {
  /// The bytes as text; nil when the name is unknown here or a byte means nothing in it.
  static func decode(_ bytes: some Collection<UInt8>, as name: String) -> String? {
    guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: 65_536)
    var result: [UInt8] = []
    result.reserveCapacity(input.count * 2)
    return input.withUnsafeMutableBufferPointer { input -> String? in
      var source = input.baseAddress
      var left = input.count
      while true {
        let isDone = left == 0
        let (status, written) = output.withUnsafeMutableBufferPointer { output -> (Int, Int) in
          var target = output.baseAddress
          var room = output.count
          // The last call, without input, gives what a converter of combining letters holds back.
          let status =
            isDone
            ? iconv(converter, nil, nil, &target, &room) : iconv(converter, &source, &left, &target, &room)
          let code = errno
          return (status == -1 && code != E2BIG ? -1 : 0, output.count - room)
        }
        guard status == 0 else { return nil }
        result.append(contentsOf: output[..<written].map { UInt8(bitPattern: $0) })
        if isDone { return String(validating: result, as: UTF8.self) }
      }
    }
  }
}
