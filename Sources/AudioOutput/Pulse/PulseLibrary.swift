import CPulse
import MediaRuntime

/// libpulse, opened when the first sink needs it.
struct PulseLibrary: @unchecked Sendable {
  // The table is written once, before anybody sees it, and never freed.
  private let table: UnsafeMutablePointer<pulse_functions>

  /// libpulse's functions under their own names.
  var call: pulse_functions { _read { yield table.pointee } }

  private static let library = LazyLibrary(
    "libpulse", sonames: ["libpulse.so.0"], package: "libpulse0", missing: .outputUnavailable)
  private static let opened = Lock<PulseLibrary?>(nil)

  /// Opens the library once; a failure is not remembered.
  static func open() throws(MediaError) -> PulseLibrary {
    try opened.withLock { opened throws(MediaError) -> PulseLibrary in
      if let opened { return opened }
      let new = try PulseLibrary()
      opened = new
      return new
    }
  }

  private init() throws(MediaError) {
    let count = MemoryLayout<pulse_functions>.size / MemoryLayout<UnsafeMutableRawPointer>.size
    var addresses: [UnsafeMutableRawPointer] = []
    for place in 0..<count {
      guard let name = pulse_function_name(Int32(place)) else { break }
      addresses.append(try Self.library.symbol(String(cString: name), as: UnsafeMutableRawPointer.self))
    }
    table = .allocate(capacity: 1)
    addresses.withUnsafeBytes {
      UnsafeMutableRawPointer(table).copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(table), byteCount: $0.count)
    }
  }

  /// A time that never comes (PA_USEC_INVALID).
  static let never = pa_usec_t.max

  /// libpulse's text for an error number.
  func text(_ error: Int32) -> String {
    call.pa_strerror(error).map { String(cString: $0) } ?? "error \(error)"
  }

  /// Lets go of an operation whose end is told by its callback, or not awaited.
  func forget(_ operation: OpaquePointer?) {
    if let operation { call.pa_operation_unref(operation) }
  }

  /// Gives an operation up: its callback is not called any more.
  func cancel(_ operation: OpaquePointer) {
    call.pa_operation_cancel(operation)
    call.pa_operation_unref(operation)
  }

  func isUnderway(_ operation: OpaquePointer) -> Bool {
    call.pa_operation_get_state(operation) == PA_OPERATION_RUNNING
  }
}
