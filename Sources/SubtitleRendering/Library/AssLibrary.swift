import CAss
package import MediaRuntime

/// libass, opened when the first text is drawn.
package struct AssLibrary: @unchecked Sendable {
  // The table is written once, before anybody sees it, and never freed.
  private let table: UnsafeMutablePointer<ass_functions>

  /// libass's functions under their own names.
  var call: ass_functions { _read { yield table.pointee } }

  private static let library = LazyLibrary(
    "libass", sonames: ["libass.so.9"], package: "libass9", missing: .textUndrawable)
  private static let opened = Lock<AssLibrary?>(nil)

  /// Opens the library once; a failure is not remembered.
  /// - Throws: `textUndrawable`.
  package static func open() throws(MediaError) -> AssLibrary {
    try opened.withLock { opened throws(MediaError) -> AssLibrary in
      if let opened { return opened }
      let new = try AssLibrary(library)
      opened = new
      return new
    }
  }

  /// - Throws: `textUndrawable` when the library can't be opened or lacks one of the functions.
  package init(_ library: LazyLibrary) throws(MediaError) {
    let count = MemoryLayout<ass_functions>.size / MemoryLayout<UnsafeMutableRawPointer>.size
    var addresses: [UnsafeMutableRawPointer] = []
    for place in 0..<count {
      guard let name = ass_function_name(Int32(place)) else { break }
      addresses.append(try library.symbol(String(cString: name), as: UnsafeMutableRawPointer.self))
    }
    table = .allocate(capacity: 1)
    addresses.withUnsafeBytes {
      UnsafeMutableRawPointer(table).copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(table), byteCount: $0.count)
    }
  }
}
