import Foundation
import MediaTestSupport
import Testing

/// What compiles for clients of Combine, in Swift 5 and Swift 6 mode.
@Suite(.serialized) struct CombineCompileTests {
  private static let header = "import AVFoundation\nimport Combine\n"

  /// What the compiler says of a client's file, down to SIL: who may send what to whom is found out only there.
  private func errors(_ source: String, mode: Int) throws -> [String] {
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
    let cache = products.appendingPathComponent("client-modules-combine").path
    var arguments = ["swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "\(mode)", "-parse-as-library"]
    arguments += ["-module-cache-path", cache, "-I", products.appendingPathComponent("Modules").path]
    for name in ["CFFmpeg", "CPulse", "CLinux"] {
      let map = root.appendingPathComponent("Sources/\(name)/module.modulemap").path
      arguments += ["-Xcc", "-fmodule-map-file=" + map]
    }
    let compiler = ProcessRunner(executable: URL(fileURLWithPath: "/usr/bin/env"))
    let result = try #require(try compiler.run(1, arguments: arguments + [file.path]).first)
    let output = result.output + result.errors
    let found = output.split(separator: "\n").map(String.init).filter { $0.contains("error:") }
    return result.exitCode != 0 && found.isEmpty ? [output] : found
  }

  @Test(arguments: [5, 6]) func ordinaryClientCodeCompiles(_ mode: Int) throws {
    let model = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("PlaybackModel.swift"), encoding: .utf8)
    let source = """
      @MainActor final class Screen: ObservableObject {
        @Published var progress = 0.0
        @Published var query = ""
        @Published private(set) var failure: String?
        let player = AVPlayer()
        let pressed = PassthroughSubject<Void, Never>()
        let volume = CurrentValueSubject<Float, Never>(1)
        private var bag: Set<AnyCancellable> = []
        private var timer: AnyCancellable?

        func bind(_ item: AVPlayerItem) {
          item.publisher(for: \\.status).filter { $0 == .failed }.map { _ in item.error }
            .compactMap { $0?.localizedDescription }.receive(on: DispatchQueue.main)
            .sink { [weak self] in self?.failure = $0 }.store(in: &bag)
          player.publisher(for: \\.currentItem?.status, options: [.initial, .new]).sink { print($0 as Any) }.store(in: &bag)
          NotificationCenter.default.publisher(for: .AVPlayerItemDidPlayToEndTime, object: item)
            .sink { [weak self] _ in self?.progress = 1 }.store(in: &bag)
          $query.debounce(for: .milliseconds(300), scheduler: RunLoop.main).removeDuplicates()
            .sink { print($0) }.store(in: &bag)
          $progress.throttle(for: 0.1, scheduler: DispatchQueue.main, latest: true)
            .map { Int($0 * 100) }.assign(to: \\.tag, on: Target()).store(in: &bag)
          pressed.sink { print("pressed") }.store(in: &bag)
          pressed.send()
          volume.dropFirst().first().sink { [player] in player.volume = $0 }.store(in: &bag)
          timer = Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { [weak self] _ in
            self?.objectWillChange.send()
          }
        }

        func text() -> AnyPublisher<String, any Error> {
          Future<Int, any Error> { promise in promise(.success(1)) }
            .flatMap { Just("\\($0)").setFailureType(to: (any Error).self) }
            .catch { _ in Fail<String, any Error>(error: URLError(.badURL)) }
            .retry(2).share().eraseToAnyPublisher()
        }

        func load() async throws -> [String] {
          var all: [String] = []
          for try await text in text().values { all.append(text) }
          for await value in $progress.prefix(1).values { all.append("\\(value)") }
          return all
        }
      }
      final class Target { var tag = 0 }
      struct Countdown: Publisher {
        typealias Output = Int
        typealias Failure = Never
        func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
          subscriber.receive(subscription: Ticking(subscriber))
        }
      }
      final class Ticking<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
        var subscriber: S?
        init(_ subscriber: S) { self.subscriber = subscriber }
        func request(_ demand: Subscribers.Demand) {
          _ = subscriber?.receive(demand.max ?? 0)
          subscriber?.receive(completion: .finished)
        }
        func cancel() { subscriber = nil }
      }
      """
    #expect(try errors(source, mode: mode) == [])
    #expect(try errors(model, mode: mode) == [])
  }

  @Test(arguments: ["SubjectHub<Int, Never>", "Relay", "Outlet<Int, Never>", "Guarded<Int>"])
  func theEnginesCannotBeSeen(_ name: String) throws {
    #expect(try !errors("func f(_ x: \(name).Type) {}", mode: 6).isEmpty)
  }

  @Test func publishedNeedsAClass() throws {
    #expect(try !errors("struct Value { @Published var count = 0\nfunc f() { print(count) } }", mode: 6).isEmpty)
  }
}
