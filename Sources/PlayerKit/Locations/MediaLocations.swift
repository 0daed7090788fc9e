public import Foundation

/// Where media and an application's own files lie on this system.
///
/// On Linux by the XDG Base Directory and user-dirs rules; elsewhere by what `FileManager` says. Nothing is created, and
/// no answer says that a folder exists.
public struct MediaLocations: Sendable {
  private let environment: [String: String]
  private let home: URL
  private let root: URL

  /// This process's own.
  public init() {
    self.init(
      environment: ProcessInfo.processInfo.environment, home: FileManager.default.homeDirectoryForCurrentUser,
      root: URL(fileURLWithPath: "/", isDirectory: true))
  }

  /// - Parameter root: in place of `/`, for tests.
  init(environment: [String: String], home: URL, root: URL) {
    self.environment = environment
    self.home = home
    self.root = root
  }

  /// A resource of the application's bundle, such as a film or a sound; nil when there is none.
  public func resource(_ name: String, withExtension type: String?, in bundle: Bundle = .main) -> URL? {
    bundle.url(forResource: name, withExtension: type)
  }

  /// What an application keeps: `XDG_DATA_HOME`, by default `~/.local/share`.
  /// - Parameter application: a folder below it, such as `org.example.Player`.
  public func data(of application: String) -> URL { folder("XDG_DATA_HOME", ".local/share", application) }

  /// What an application can make again, such as thumbnails and loaded media: `XDG_CACHE_HOME`, by default `~/.cache`.
  public func cache(of application: String) -> URL { folder("XDG_CACHE_HOME", ".cache", application) }

  /// The user's videos: `XDG_VIDEOS_DIR` of `user-dirs.dirs`; nil when the user has switched that folder off.
  public var videos: URL? { userFolder("XDG_VIDEOS_DIR", "Videos") }

  /// The user's music: `XDG_MUSIC_DIR` of `user-dirs.dirs`; nil when the user has switched that folder off.
  public var music: URL? { userFolder("XDG_MUSIC_DIR", "Music") }

  /// Mounted discs, cards and sticks: what is mounted below `/media` and `/run/media`, sorted by path.
  public var removableMedia: [URL] {
    let table = (try? String(contentsOf: root.appendingPathComponent("proc/self/mountinfo"), encoding: .utf8)) ?? ""
    return MountTable(table).points
      .filter { $0.hasPrefix("/media/") || $0.hasPrefix("/run/media/") }
      .sorted()
      .map { URL(fileURLWithPath: $0, isDirectory: true) }
  }

  /// Whether a file was handed to a sandboxed application by the document portal: such a path names one file for this
  /// application alone, is no place to look for its neighbours, and may be gone after the next log-in unless the
  /// application asked for it to be kept.
  public func isPortalDocument(_ url: URL) -> Bool {
    guard url.isFileURL else { return false }
    let parts = url.standardizedFileURL.pathComponents
    // /run/user/1000/doc/1a2b3c4d/film.mp4, and /run/flatpak/doc/… inside a sandbox.
    if parts.starts(with: ["/", "run", "user"]) { return parts.count > 5 && parts[4] == "doc" }
    return parts.starts(with: ["/", "run", "flatpak", "doc"]) && parts.count > 5
  }

  private func folder(_ variable: String, _ standard: String, _ application: String) -> URL {
    // Relative paths are invalid by the Base Directory rules, and are to be ignored.
    let base =
      environment[variable].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
      ?? home.appendingPathComponent(standard, isDirectory: true)
    return base.appendingPathComponent(application, isDirectory: true)
  }

  private func userFolder(_ key: String, _ standard: String) -> URL? {
    let configuration =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
      ?? home.appendingPathComponent(".config", isDirectory: true)
    let file = configuration.appendingPathComponent("user-dirs.dirs")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      return home.appendingPathComponent(standard, isDirectory: true)
    }
    guard let path = UserFolders(text, home: home.path).paths[key] else {
      return home.appendingPathComponent(standard, isDirectory: true)
    }
    let url = URL(fileURLWithPath: path, isDirectory: true)
    // The home folder itself means: there is no such folder.
    return url.standardizedFileURL.path == home.standardizedFileURL.path ? nil : url
  }
}
