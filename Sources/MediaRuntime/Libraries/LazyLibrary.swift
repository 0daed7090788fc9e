import Glibc

/// A shared library that is opened when it is first needed: loading it at start would delay every first frame.
///
///     static let pulse = LazyLibrary("libpulse", sonames: ["libpulse.so.0"], package: "libpulse0", missing: .outputUnavailable)
///     let version = try pulse.symbol("pa_get_library_version", as: (@convention(c) () -> UnsafePointer<CChar>?).self)
package final class LazyLibrary: Sendable {
  package let name: String
  /// The Debian package to install, for the error's sentence.
  package let package: String
  private let sonames: [String]
  private let missing: MediaError.Code
  private let handle = Lock<Handle?>(nil)

  /// dlopen's result; valid until the process ends, because it is never closed.
  private struct Handle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  /// - Parameters:
  ///   - sonames: tried in this order.
  ///   - missing: the code of the error that is thrown when none of them can be opened.
  package init(_ name: String, sonames: [String], package: String, missing: MediaError.Code) {
    self.name = name
    self.sonames = sonames
    self.package = package
    self.missing = missing
  }

  package var isOpen: Bool { handle.withLock { $0 != nil } }

  /// Opens the library if it is not open; a failure is not remembered, so a package can be installed meanwhile.
  package func open() throws(MediaError) { _ = try opened() }

  /// A function of the library. Look it up once and keep it: each call searches anew.
  /// - Parameter type: a C function type, `(@convention(c) (…) -> …).self`.
  package func symbol<Function>(_ symbol: String, as type: Function.Type) throws(MediaError) -> Function {
    let handle = try opened()
    guard MemoryLayout<Function>.size == MemoryLayout<UnsafeMutableRawPointer>.size,
      let address = dlsym(handle.pointer, symbol)
    else {
      throw MediaError(
        missing, "\(name) has no function “\(symbol)”. Install a newer version of the package “\(package)”.")
    }
    return unsafeBitCast(address, to: type)
  }

  private func opened() throws(MediaError) -> Handle {
    try handle.withLock { handle throws(MediaError) -> Handle in
      if let handle { return handle }
      var reasons: [String] = []
      for soname in sonames {
        if let pointer = dlopen(soname, RTLD_NOW | RTLD_LOCAL) {
          let opened = Handle(pointer: pointer)
          handle = opened
          return opened
        }
        reasons.append(dlerror().map { String(cString: $0) } ?? soname)
      }
      throw MediaError(
        missing, "\(name) could not be opened (\(reasons.joined(separator: "; "))). Install the package “\(package)”.")
    }
  }
}
