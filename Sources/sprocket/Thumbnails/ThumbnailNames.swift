import Foundation

/// Names of the files that are written. Pure, but for `isFolder`.
struct ThumbnailNames: Equatable {
  let format: ThumbnailOptions.Format
  /// With `%d` or `%03d` where the number stands.
  private let pattern: String
  private let hasNumber: Bool

  /// - Parameters:
  ///   - source: the film's path.
  ///   - isFolder: whether a path is an existing folder.
  init(_ options: ThumbnailOptions, source: String, isFolder: (String) -> Bool) throws(UsageError) {
    let name = URL(fileURLWithPath: source).deletingPathExtension().lastPathComponent
    let stem = name.isEmpty || name == "/" ? "thumbnail" : name
    guard let output = options.output else {
      format = options.format ?? .jpeg
      (pattern, hasNumber) = (Self.escaped(stem) + "." + format.pathExtension, false)
      return
    }
    if output.hasSuffix("/") || isFolder(output) {
      format = options.format ?? .jpeg
      let folder = output.hasSuffix("/") ? output : output + "/"
      (pattern, hasNumber) = (Self.escaped(folder + stem) + "." + format.pathExtension, false)
      return
    }
    guard options.addresses.count == 1 else {
      throw UsageError("Several files need a folder for their pictures: --output FOLDER/.")
    }
    let own = (output as NSString).pathExtension
    var path = output
    if options.writesCues, own.lowercased() == "vtt" {
      format = options.format ?? .jpeg
      path = (output as NSString).deletingPathExtension + "." + format.pathExtension
    } else if let format = options.format ?? ThumbnailOptions.Format(pathExtension: own) {
      self.format = format
    } else {
      throw UsageError(
        "--output \(output) does not say which kind of picture. End it in .png, .jpg or .webp, or give --format.")
    }
    hasNumber = path.firstMatch(of: Self.number) != nil
    pattern = hasNumber ? path : Self.escaped(path)
  }

  /// - Parameter count: how many there are in all; a single one has no number.
  func path(_ index: Int, of count: Int) -> String {
    if hasNumber { return numbered(pattern, index + 1) }
    let plain = pattern.replacingOccurrences(of: "%%", with: "%")
    guard count > 1 else { return plain }
    let width = max(String(count).count, 3)
    return (stem(plain)) + "-" + padded(index + 1, width) + suffix(plain)
  }

  /// The WebVTT file beside the pictures.
  var cuePath: String {
    let plain = hasNumber ? pattern.replacing(Self.number, with: "") : pattern.replacingOccurrences(of: "%%", with: "%")
    let stem = stem(plain)
    return (stem.hasSuffix("-") || stem.hasSuffix("_") ? String(stem.dropLast()) : stem) + ".vtt"
  }

  private static var number: Regex<(Substring, Substring?)> { /%(0\d)?d/ }

  private static func escaped(_ path: String) -> String { path.replacingOccurrences(of: "%", with: "%%") }

  private func numbered(_ pattern: String, _ number: Int) -> String {
    pattern.replacing(Self.number) { match in
      padded(number, match.1.flatMap { Int($0) } ?? 1)
    }
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }

  private func stem(_ path: String) -> String { (path as NSString).deletingPathExtension }

  private func suffix(_ path: String) -> String {
    let own = (path as NSString).pathExtension
    return own.isEmpty ? "" : "." + own
  }
}
