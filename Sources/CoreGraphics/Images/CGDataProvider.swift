/// Bytes for an image.
public final class CGDataProvider: Sendable {
  private let bytes: Data

  public init?(data: CFData) {
    bytes = data
  }

  /// The whole file.
  public convenience init?(url: CFURL) {
    guard let data = try? Data(contentsOf: url, options: .mappedIfSafe) else { return nil }
    self.init(data: data)
  }

  /// The whole file.
  public convenience init?(filename: UnsafePointer<CChar>) {
    self.init(url: URL(fileURLWithPath: String(cString: filename)))
  }

  /// The caller's bytes, which must stay until `releaseData` is called.
  public convenience init?(
    dataInfo info: UnsafeMutableRawPointer?, data: UnsafeRawPointer, size: Int,
    releaseData: CGDataProviderReleaseDataCallback
  ) {
    guard size >= 0 else { return nil }
    self.init(
      data: Data(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: data), count: size,
        deallocator: .custom { bytes, size in releaseData(info, bytes, size) }))
  }

  public var data: CFData? { bytes }
}

/// Called when a provider made from the caller's bytes no longer needs them.
public typealias CGDataProviderReleaseDataCallback =
  @convention(c) (_ info: UnsafeMutableRawPointer?, _ data: UnsafeRawPointer, _ size: Int) -> Void
