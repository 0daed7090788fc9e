package import Foundation

/// Test clips. `Fixtures/make-fixtures` makes them from the recipes beside it; `./run test` does that first.
package enum Fixture {
  /// A clip that should be there is not: the test fails, it is never skipped.
  package struct Missing: Error, CustomStringConvertible {
    package let path: String
    package var description: String {
      "The fixture \(path) is missing. Run ./run test, or Fixtures/make-fixtures, which makes all of them."
    }
  }

  /// The package's root folder.
  package static let packageRoot: URL = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url
  }()

  /// The clip made by `Fixtures/recipes/NAME.sh`, such as `open-gop.mp4`.
  package static func url(_ name: String) throws(Missing) -> URL {
    try existing("Fixtures/Generated/\(name)")
  }

  /// The film that `./run play` shows (committed, not generated).
  package static func film() throws(Missing) -> URL {
    try existing("Fixtures/film/sprocket.mp4")
  }

  /// A file of the package, by its path from the root.
  package static func existing(_ path: String) throws(Missing) -> URL {
    let url = packageRoot.appendingPathComponent(path)
    guard FileManager.default.fileExists(atPath: url.path) else { throw Missing(path: path) }
    return url
  }
}
