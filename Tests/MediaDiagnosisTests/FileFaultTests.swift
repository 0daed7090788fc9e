import Foundation
import Glibc
import MediaDiagnosis
import MediaTestSupport
import Testing

@Suite struct FileFaultTests {
  @Test func aNameWithoutAFile() {
    let diagnosis = examined(URL(fileURLWithPath: "/nonexistent/film.mp4"))
    #expect(diagnosis.names == ["missing"] && diagnosis.isOutOfReach && diagnosis.examined == .none)
  }

  @Test func aFolder() {
    #expect(examined(FileManager.default.temporaryDirectory).names == ["is-folder"])
  }

  @Test func aFileWithoutBytes() throws {
    let file = try PlantedFile("a.mp4", [])
    #expect(examined(file.url).names == ["empty"])
  }

  @Test func aSocket() throws {
    let file = try PlantedFile("a", text: "")
    let path = file.url.deletingLastPathComponent().appendingPathComponent("s").path
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    #expect(examined(URL(fileURLWithPath: path)).names == ["not-a-file"])
  }

  @Test(arguments: ["https://example.com/a.mp4", "ftp://example.com/a.mp4", "data:nothing", "file://server/a.mp4"])
  func anAddressThatIsNoLocalFile(address: String) throws {
    #expect(examined(try #require(URL(string: address))).names == ["bad-address"])
  }

  @Test func aLinkInACircle() throws {
    let file = try PlantedFile("a", text: "")
    let link = file.url.deletingLastPathComponent().appendingPathComponent("loop.mp4")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: link)
    #expect(examined(link).names == ["read-failed"])
  }

  @Test func aFileThatIsCutWhileItIsRead() throws {
    let file = try PlantedFile("a.mkv", cutting: "one-key.mkv", to: 1)
    #expect(examined(file.url).verdict == .healthy)
    let sources = ShrinkingSources(file.url)
    #expect(examined(file.url, sources: sources).names.first == "changed-while-read")
  }

  @Test func aDiskThatFails() throws {
    let file = try PlantedFile("a.mkv", cutting: "one-key.mkv", to: 1)
    #expect(examined(file.url, sources: FailingSources(after: 100_000)).names == ["read-failed"])
    #expect(examined(file.url, sources: FailingSources(after: 0)).names == ["read-failed"])
  }
}
