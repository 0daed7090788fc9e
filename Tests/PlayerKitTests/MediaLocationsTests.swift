import Foundation
import Testing

@testable import PlayerKit

@Suite struct MediaLocationsTests {
  private let root: URL
  private let home: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("locations-\(UUID().uuidString)")
    home = root.appendingPathComponent("home/ann", isDirectory: true)
    try FileManager.default.createDirectory(
      at: home.appendingPathComponent(".config"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: root.appendingPathComponent("proc/self"), withIntermediateDirectories: true)
  }

  private func locations(_ environment: [String: String] = [:]) -> MediaLocations {
    MediaLocations(environment: environment, home: home, root: root)
  }

  private func userFolders(_ text: String) throws {
    try Data(text.utf8).write(to: home.appendingPathComponent(".config/user-dirs.dirs"))
  }

  @Test func withoutSettings_theStandardFoldersAreTold() {
    let locations = locations()
    #expect(locations.data(of: "org.example.Player").path == home.path + "/.local/share/org.example.Player")
    #expect(locations.cache(of: "org.example.Player").path == home.path + "/.cache/org.example.Player")
    #expect(locations.videos?.path == home.path + "/Videos")
    #expect(locations.music?.path == home.path + "/Music")
  }

  @Test func absoluteVariables_areFollowed_relativeOnesAreNot() {
    let locations = locations(["XDG_DATA_HOME": "/srv/data", "XDG_CACHE_HOME": "cache"])
    #expect(locations.data(of: "p").path == "/srv/data/p")
    #expect(locations.cache(of: "p").path == home.path + "/.cache/p")
  }

  @Test func usersNamesForVideosAndMusic_areRead() throws {
    try userFolders("# made by a tool\nXDG_VIDEOS_DIR=\"$HOME/影片 \\\"b\\\"\"\n  XDG_MUSIC_DIR=\"/mnt/music\"\n")
    #expect(locations().videos?.path == home.path + "/影片 \"b\"")
    #expect(locations().music?.path == "/mnt/music")
  }

  @Test func theHomeFolderItself_meansThereIsNone() throws {
    try userFolders("XDG_VIDEOS_DIR=\"$HOME/\"\nXDG_MUSIC_DIR=\"$HOME\"\n")
    #expect(locations().videos == nil)
    #expect(locations().music == nil)
  }

  @Test(arguments: [
    "XDG_VIDEOS_DIR=", "XDG_VIDEOS_DIR=\"", "XDG_VIDEOS_DIR=\"a\\", "XDG_VIDEOS_DIR=\"rel\"", "=\"/a\"",
  ])
  func linesThatAreNoSetting_leaveTheStandard(line: String) throws {
    try userFolders(line)
    #expect(locations().videos?.path == home.path + "/Videos")
  }

  @Test func mountsBelowTheMediaFolders_areRemovable() throws {
    let table = """
      22 1 8:1 / / rw - ext4 /dev/sda1 rw
      40 22 8:17 / /run/media/ann/My\\040Card rw - vfat /dev/sdb1 rw
      41 22 8:33 / /media/ann/DISC rw - iso9660 /dev/sr0 ro
      42 22 8:33 / /mediathek rw - ext4 /dev/sdc1 rw
      short line
      """
    try Data(table.utf8).write(to: root.appendingPathComponent("proc/self/mountinfo"))
    #expect(locations().removableMedia.map(\.path) == ["/media/ann/DISC", "/run/media/ann/My Card"])
  }

  @Test(arguments: [
    ("/run/user/1000/doc/1a2b3c4d/film.mp4", true), ("/run/flatpak/doc/1a2b3c4d/film.mp4", true),
    ("/run/user/1000/doc", false), ("/srv/doc/film.mp4", false), ("/run/user/1000/gvfs/a/b", false),
  ])
  func documentsOfThePortal_areKnown(path: String, isDocument: Bool) {
    #expect(locations().isPortalDocument(URL(fileURLWithPath: path)) == isDocument)
  }
}
