import Foundation
import Testing

/// What compiles for clients, and what does not, in Swift 5 and Swift 6 mode.
@Suite(.serialized) struct CompileTests {
  private static let header = "import AVFoundation\n"

  /// Type-checks a client's file that imports AVFoundation alone.
  private func errors(_ source: String, mode: Int) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("client.swift")
    try (Self.header + source).write(to: file, atomically: true, encoding: .utf8)
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let cache = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-module-cache").path
    var arguments: [String] = ["swiftc", "-typecheck", "-swift-version", "\(mode)", "-parse-as-library"]
    arguments += ["-module-cache-path", cache, "-I", products.appendingPathComponent("Modules").path]
    for name in ["CFFmpeg", "CPulse", "CLinux"] {
      let map: String = root.appendingPathComponent("Sources/\(name)/module.modulemap").path
      arguments += ["-Xcc", "-fmodule-map-file=" + map]
    }
    arguments.append(file.path)
    compiler.arguments = arguments
    let pipe = Pipe()
    compiler.standardError = pipe
    compiler.standardOutput = pipe
    try compiler.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    let found = output.split(separator: "\n").map(String.init).filter { $0.contains("error:") }
    if compiler.terminationStatus != 0, found.isEmpty { return [output] }
    return found
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
    for line in [
      "_ = item.asset", "item.seek(to: .zero)", "_ = track.assetTrack", "_ = item.selectedMediaOption(in: group)",
    ] {
      let source = """
        nonisolated func f(
          _ item: AVPlayerItem, _ track: AVPlayerItemTrack, _ group: AVMediaSelectionGroup, _ plain: AVAsset
        ) {
          \(line)
        }
        """
      #expect(try !errors(source, mode: 6).isEmpty, "\(line)")
    }
  }

  @Test func assetsByAddressAreSendable() throws {
    #expect(try errors("func f(_ a: AVURLAsset) { Task.detached { print(a) } }", mode: 6) == [])
  }

  @Test(arguments: ["MediaEngine", "MediaRuntime", "PlayerCore", "MediaError", "Scheduler", "AssetCore", "PropertyKey"])
  func theEngineCannotBeSeen(_ name: String) throws {
    #expect(try !errors("func f(_ x: \(name).Type) {}", mode: 6).isEmpty)
  }
}
