import Foundation
import MediaTestSupport
import Testing

/// What compiles for clients, and what does not, in Swift 5 and Swift 6 mode.
@Suite(.serialized) struct CompileTests {
  private static let header = "import AVFoundation\n"

  /// What the compiler says of a client's file that imports AVFoundation alone.
  ///
  /// Goes as far as SIL: who may send what to whom is found out only there.
  private func errors(_ source: String, mode: Int, warnings: Bool = false) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("client.swift")
    try (Self.header + source).write(to: file, atomically: true, encoding: .utf8)
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    // The folder itself: a cache can't be used by another name, and `.build/debug` is a link.
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    // Of this suite alone: compilers that fill one cache wait for each other.
    let cache = products.appendingPathComponent("client-modules-avfoundation").path
    var arguments: [String] = [
      "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "\(mode)", "-parse-as-library",
    ]
    arguments += ["-module-cache-path", cache, "-I", products.appendingPathComponent("Modules").path]
    for name in ["CFFmpeg", "CPulse", "CLinux"] {
      let map: String = root.appendingPathComponent("Sources/\(name)/module.modulemap").path
      arguments += ["-Xcc", "-fmodule-map-file=" + map]
    }
    arguments.append(file.path)
    let compiler = ProcessRunner(executable: URL(fileURLWithPath: "/usr/bin/env"))
    let result = try #require(try compiler.run(1, arguments: arguments).first)
    let output = result.output + result.errors
    let found = output.split(separator: "\n").map(String.init).filter {
      $0.contains("error:") || warnings && $0.contains("warning:")
    }
    if result.exitCode != 0, found.isEmpty { return [output] }
    return found
  }

  /// Which of these lines the compiler finds wrong. A second copy of a function is an error at the copy's name, so each
  /// line stands in a scope of its own.
  private func wrongLines(_ lines: [String], mode: Int, warnings: Bool = false) throws -> Set<Int> {
    let source = lines.enumerated().map { "enum Scope\($0) { \($1) }" }.joined(separator: "\n")
    let found = try errors(source, mode: mode, warnings: warnings).compactMap { text -> Int? in
      text.firstMatch(of: /client\.swift:([0-9]+):/).flatMap { Int($0.1) }.map { $0 - 2 }
    }
    return Set(found)
  }

  @Test(arguments: [5, 6])
  func ordinaryClientCodeCompiles(_ mode: Int) throws {
    let source = """
      @MainActor final class Model {
        let player = AVPlayer()
        var tokens: [NSKeyValueObservation] = []
        var items: [URLRequest] = []
        func start(_ url: URL) async throws {
          let asset = AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
          let (duration, tracks) = try await asset.load(.duration, .tracks)
          _ = (duration.seconds, tracks.count)
          let item = AVPlayerItem(asset: asset)
          player.replaceCurrentItem(with: item)
          tokens.append(player.observe(\\.currentItem?.status, options: [.initial, .new]) { _, change in
            print(change.newValue as Any)
          })
          tokens.append(item.observe(\\.loadedTimeRanges) { item, _ in
            print(item.loadedTimeRanges.map(\\.timeRangeValue.duration.seconds))
          })
          _ = await player.seek(to: CMTimeMake(value: 1, timescale: 1))
          player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero) { _ in }
          print(item.asset, item.tracks.first?.assetTrack as Any)
          let layer = AVPlayerLayer(player: player)
          layer.videoGravity = .resizeAspectFill
          layer.frame = CGRect(x: 0, y: 0, width: 16, height: 9)
          for await note in NotificationCenter.default.notifications(named: .AVPlayerItemDidPlayToEndTime) {
            print(note)
          }
        }
      }
      nonisolated func anywhere(_ player: AVPlayer, _ asset: AVURLAsset) {
        player.rate = 1
        player.pause()
        print(player.timeControlStatus, player.currentItem?.status as Any, player.currentTime())
        let item = AVPlayerItem(asset: asset, automaticallyLoadedAssetKeys: [.duration, .tracks])
        print(item.duration, item.currentMediaSelection)
        let token = player.addPeriodicTimeObserver(
          forInterval: CMTime(seconds: 1, preferredTimescale: CMTimeScale(NSEC_PER_SEC)), queue: .main
        ) { time in print(time) }
        player.removeTimeObserver(token)
      }
      class Sub: AVQueuePlayer {
        override func play() { super.play() }
        override var currentItem: AVPlayerItem? { super.currentItem }
        override init() { super.init() }
        override init(items: [AVPlayerItem]) { super.init(items: items) }
      }
      class SubItem: AVPlayerItem {
        override init(asset: AVAsset, automaticallyLoadedAssetKeys keys: [String]?) {
          super.init(asset: asset, automaticallyLoadedAssetKeys: keys)
        }
        override var duration: CMTime { super.duration }
      }
      func inherited(_ url: URL) -> AVPlayerItem { SubItem(url: url) }
      """
    #expect(try errors(source, mode: mode) == [])
  }

  @Test func mainActorMembersStayThere() throws {
    let lines = [
      "_ = item.asset", "item.seek(to: .zero)", "_ = track.assetTrack", "_ = item.selectedMediaOption(in: group)",
    ]
    let source = lines.map { line in
      "nonisolated static func f(_ item: AVPlayerItem, _ track: AVPlayerItemTrack, _ group: AVMediaSelectionGroup) { \(line) }"
    }
    // As with what is imported from Objective-C: a warning in Swift 6 mode, no error in Swift 5 mode.
    let wrong = try wrongLines(source, mode: 6, warnings: true)
    for (index, line) in lines.enumerated() { #expect(wrong.contains(index), "\(line)") }
    #expect(try wrongLines(source, mode: 5) == [])
  }

  @Test func codeOfBeforeConcurrencyCompiles() throws {
    let source = """
      class Model {
        let player = AVPlayer()
        func show(_ item: AVPlayerItem, _ group: AVMediaSelectionGroup) {
          print((player.currentItem?.asset as? AVURLAsset)?.url as Any)
          print(player.currentItem?.asset.duration.seconds as Any)
          item.seek(to: .zero)
          print(item.selectedMediaOption(in: group) as Any, item.tracks.first?.assetTrack as Any)
        }
      }
      @MainActor final class Shower {
        func show(_ tracks: [AVAssetTrack]?) {}
        func load(_ asset: AVAsset, _ locale: Locale) {
          var count = 0
          asset.loadTracks(withMediaType: .audio) { tracks, _ in self.show(tracks) }
          asset.loadTracks(withMediaCharacteristic: .audible) { tracks, _ in self.show(tracks) }
          asset.loadTrack(withTrackID: 1) { _, _ in count += 1 }
          asset.loadMetadata(for: .iTunesMetadata) { _, _ in count += 1 }
          asset.loadMediaSelectionGroup(for: .audible) { _, _ in count += 1 }
          asset.loadChapterMetadataGroups(withTitleLocale: locale) { _, _ in count += 1 }
          asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"]) { _, _ in count += 1 }
          asset.loadValuesAsynchronously(forKeys: ["tracks"]) { count += 1 }
          print(count)
        }
      }
      class Puller: NSObject, AVPlayerItemOutputPullDelegate {
        var count = 0
        let outputs: [AVPlayerItemVideoOutput]
        init(_ attributes: [String: Any]) {
          outputs = [.init(pixelBufferAttributes: attributes), .init(outputSettings: attributes)]
        }
        func outputMediaDataWillChange(_ sender: AVPlayerItemOutput) { count += 1 }
      }
      """
    #expect(try errors(source, mode: 5) == [])
    #expect(try errors(source, mode: 5, warnings: true).filter { !$0.contains("'show'") } == [])
    let attributes = """
      func make(_ attributes: [String: Any]) -> [AVPlayerItemVideoOutput] {
        [.init(pixelBufferAttributes: attributes), .init(outputSettings: attributes)]
      }
      """
    #expect(try errors(attributes, mode: 6) == [])
  }

  @Test(arguments: [5, 6])
  func layersAreSubclassedWithAnInitialiserOfTheirOwn(_ mode: Int) throws {
    let source = """
      class Plain: CALayer { override init() { super.init() } }
      class Picture: AVPlayerLayer { override init() { super.init() } }
      class Sized: CALayer { init(size: CGSize) { super.init() } }
      """
    #expect(try errors(source, mode: mode) == [])
  }

  @Test(arguments: ["AVURLAsset", "AVPlayer", "AVPlayerItem", "AVPlayerItemVideoOutput", "AVPlayerItemAccessLog"])
  func whatApplesDeclareSendableCanBeSent(_ type: String) throws {
    #expect(try errors("func f(_ a: \(type)) { Task.detached { print(a) } }", mode: 6) == [])
  }

  @Test(arguments: ["AVAsset", "AVAssetTrack", "AVMetadataItem", "AVMediaSelectionGroup", "AVMediaSelectionOption"])
  func whatApplesDoNotDeclareSendableCannot(_ type: String) throws {
    let sent = try errors("func f(_ a: \(type)) { Task.detached { print(a) } }", mode: 6)
    #expect(sent.contains { $0.contains("data races") }, "\(sent)")
    let needed = try errors("func need<T: Sendable>(_ t: T) {}\nfunc f(_ a: \(type)) { need(a) }", mode: 6)
    #expect(needed.contains { $0.contains("Sendable") }, "\(needed)")
  }

  /// What guides invent must not compile by accident.
  @Test func inventedMembersDoNotExist() throws {
    let lines = [
      "_ = item.preloadsAllVideoFrames", "_ = item.usesPreciseDurationAndTiming", "_ = item.audioOnly",
      "_ = item.preferredForwardPlaybackLikelihood", "_ = item.$status", "player.currentItem = nil",
      "_ = item.appliesPreferredTrackLanguages", "_ = item.preferredVideoRange",
      "_ = player.ignoreBackgroundIdleTimeout", "_ = item.thumbnailImageAtTime",
      "_ = item.seekingWaitsForVideoComposition", "_ = AVPlayerItem.Status.loading",
      "_ = AVPlayerItem.Status.cancelled",
      "_ = AVError.networkError", "_ = AVError.Code.networkError", "_ = player.timeControlStatus.buffering",
    ]
    let source = lines.map { "@MainActor static func f(_ player: AVPlayer, _ item: AVPlayerItem) { \($0) }" }
    let wrong = try wrongLines(source, mode: 5)
    for (index, line) in lines.enumerated() { #expect(wrong.contains(index), "\(line)") }
  }

  @Test func whatIsNotDeprecatedGivesNoWarning() throws {
    let source = """
      func f(_ player: AVPlayer, _ item: AVPlayerItem) -> Bool {
        player.automaticallyWaitsToMinimizeStalling = true
        return item.isPlaybackLikelyToKeepUp || item.isPlaybackBufferEmpty || item.isPlaybackBufferFull
          || item.seekingWaitsForVideoCompositionRendering
      }
      """
    #expect(try errors(source, mode: 6, warnings: true) == [])
  }

  @Test(arguments: ["MediaEngine", "MediaRuntime", "PlayerCore", "MediaError", "Scheduler", "AssetCore", "PropertyKey"])
  func theEngineCannotBeSeen(_ name: String) throws {
    #expect(try !errors("func f(_ x: \(name).Type) {}", mode: 6).isEmpty)
  }
}
