import Foundation
import MediaIO
import MediaRuntime
import Testing

@Suite struct FileSourceTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("file-source-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return url
  }

  private func read(_ source: any ByteSource, _ count: Int, at offset: Int64, _ generation: Generation = .first)
    throws(MediaError) -> [UInt8]
  {
    var bytes = [UInt8](repeating: 0, count: count)
    let result: Result<Int, MediaError> = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(MediaError) in try source.read(buffer, at: offset, generation) }
    }
    return Array(bytes.prefix(try result.get()))
  }

  private func code(_ body: () throws -> Void) -> MediaError.Code? {
    do { try body() } catch { return (error as? MediaError)?.code }
    return nil
  }

  private func message(_ body: () throws -> Void) -> String {
    do { try body() } catch { return (error as? MediaError)?.message ?? "\(error)" }
    return ""
  }

  @Test func whatIsNoFileIsRefusedWithItsReason() throws {
    let missing = FileSource(path: folder.appendingPathComponent("none.mp4").path)
    #expect(code { try missing.open(.first) } == .sourceMissing)
    #expect(code { try FileSource(path: folder.path).open(.first) } == .sourceIsFolder)
    let empty = try file("empty.mp4", [])
    #expect(code { try FileSource(path: empty.path).open(.first) } == .sourceEmpty)
  }

  @Test func aDeletedFilePlaysOn() throws {
    let url = try file("gone.bin", Array(0..<200))
    let source = FileSource(path: url.path)
    try source.open(.first)
    let twin = try #require(source.duplicate())
    try FileManager.default.removeItem(at: url)
    #expect(try read(source, 10, at: 100) == Array(100..<110))
    source.close()
    #expect(try read(twin, 10, at: 190) == Array(190..<200))
    #expect(try read(twin, 10, at: 200) == [])
  }

  @Test func aFileCutShortMeanwhileIsTold() throws {
    let url = try file("cut.bin", [UInt8](repeating: 7, count: 1_000))
    let source = FileSource(path: url.path)
    try source.open(.first)
    truncate(url.path, 10)
    #expect(code { _ = try read(source, 10, at: 500) } == .sourceChanged)
  }

  private enum Change: CaseIterable {
    case otherContent, moreOfAnother, lessAndMoreAgain
    case touched, appended, headerFilledIn
  }

  @Test("What was read of a file must stay; it may grow, and its header be filled in", arguments: Change.allCases)
  private func aFileWrittenOver(change: Change) throws {
    let original = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    let url = try file("over-\(change).bin", original)
    let source = FileSource(path: url.path)
    try source.open(.first)
    var offset: Int64 = 0
    while offset < 150_000 { offset += Int64(try read(source, 32_768, at: offset).count) }
    let writer = try FileHandle(forUpdating: url)
    let other = Data(original.map { $0 &+ 1 })
    switch change {
    case .otherContent: try writer.write(contentsOf: other)
    case .moreOfAnother: try writer.write(contentsOf: other + other)
    case .lessAndMoreAgain:
      try writer.truncate(atOffset: 0)
      try writer.write(contentsOf: other + other)
    case .touched: break
    case .appended:
      try writer.seekToEnd()
      try writer.write(contentsOf: other)
    case .headerFilledIn: try writer.write(contentsOf: other.prefix(4_000))
    }
    // Whatever the clock's grain is.
    var times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 1_000, tv_nsec: 0)]
    #expect(futimens(writer.fileDescriptor, &times) == 0)
    try writer.close()
    let isOther = [.otherContent, .moreOfAnother, .lessAndMoreAgain].contains(change)
    #expect(code { _ = try read(source, 32_768, at: offset) } == (isOther ? .sourceChanged : nil))
    #expect(code { try source.checkUnchanged(isDamaged: false) } == (isOther ? .sourceChanged : nil))
    #expect(code { try source.checkUnchanged(isDamaged: true) } == .sourceChanged)
    let twin = try #require(source.duplicate())
    #expect(code { try twin.checkUnchanged(isDamaged: false) } == nil)
  }

  @Test func whatIsDamagedAndUnchangedStaysDamaged() throws {
    let url = try file("same.bin", [1, 2, 3])
    let source = FileSource(path: url.path)
    try source.open(.first)
    try source.checkUnchanged(isDamaged: true)
  }

  @Test func aFileOfTheKernelIsReadAlthoughItSaysItIsEmpty() throws {
    let source = FileSource(path: "/proc/self/status")
    try source.open(.first)
    #expect(!source.isSeekable && source.length == nil)
    #expect(try read(source, 5, at: 0) == Array("Name:".utf8))
  }

  @Test func anOlderGenerationIsInterrupted() throws {
    let url = try file("a.bin", [1, 2, 3])
    let source = FileSource(path: url.path)
    try source.open(.first)
    source.want(Generation(5))
    source.want(Generation(3))
    #expect(code { _ = try read(source, 1, at: 0, Generation(4)) } == .interrupted)
    #expect(try read(source, 1, at: 0, Generation(5)) == [1])
  }

  @Test func aPipeIsReadInSequenceAndItsWaitEnds() throws {
    let path = folder.appendingPathComponent("pipe").path
    #expect(mkfifo(path, 0o600) == 0)
    let source = FileSource(path: path)
    try source.open(.first)
    #expect(!source.isSeekable && source.mayBlock && source.length == nil)
    let writer = open(path, O_WRONLY)
    #expect(write(writer, "abc", 3) == 3)
    #expect(try read(source, 3, at: 0) == Array("abc".utf8))
    #expect(code { _ = try read(source, 1, at: 0) } == .sourceReadFailed)
    // Whether the read waits already or not: a newer generation ends it, while the writer is still there.
    let ended = DispatchSemaphore(value: 0)
    let found = Lock<MediaError.Code?>(nil)
    let waiter = Thread {
      let told = code { _ = try read(source, 1, at: 3) }
      found.withLock { $0 = told }
      ended.signal()
    }
    waiter.start()
    source.want(Generation(2))
    #expect(ended.wait(timeout: .now() + 20) == .success)
    #expect(found.withLock { $0 } == .interrupted)
    close(writer)
    #expect(try read(source, 1, at: 3, Generation(2)) == [])
  }

  @Test func aPipeWaitsForItsWriter() throws {
    let path = folder.appendingPathComponent("late").path
    #expect(mkfifo(path, 0o600) == 0)
    let source = FileSource(path: path)
    try source.open(.first)
    let writer = Thread {
      let descriptor = open(path, O_WRONLY)
      write(descriptor, "late", 4)
      close(descriptor)
    }
    writer.start()
    #expect(try read(source, 4, at: 0) == Array("late".utf8))
    #expect(try read(source, 1, at: 4) == [])
  }

  @Test func namesThatCannotBeOpenedAreTold() throws {
    let loop = folder.appendingPathComponent("loop").path
    #expect(symlink(loop, loop) == 0)
    #expect(message { try FileSource(path: loop).open(.first) }.contains("leads back to itself"))
    let long = folder.path + "/" + String(repeating: "x", count: 300)
    #expect(message { try FileSource(path: long).open(.first) }.contains("Shorten it"))
    #expect(message { try FileSource(path: "/dev/ptmx").open(.first) }.contains("terminal"))
  }

  @Test func addressesAreDecodedOnce() throws {
    let opener = LocalSourceOpener()
    let scheduler = RealScheduler.shared
    let url = try file("100%20.bin", [9])
    let source = try opener.source(for: url, options: SourceOptions(), scheduler: scheduler)
    try source.open(.first)
    #expect(try read(source, 1, at: 0) == [9])
    let data = try #require(URL(string: "data:audio/wav;base64,AQID"))
    let memory = try opener.source(for: data, options: SourceOptions(), scheduler: scheduler)
    #expect(try read(memory, 9, at: 0) == [1, 2, 3])
    let bare = try #require(URL(string: "film.mp4"))
    #expect(
      code { _ = try opener.source(for: bare, options: SourceOptions(), scheduler: scheduler) } == .addressMalformed)
    let web = try #require(URL(string: "https://example.com/a.mp4"))
    #expect(
      code { _ = try opener.source(for: web, options: SourceOptions(), scheduler: scheduler) } == .addressUnsupported)
  }
}
