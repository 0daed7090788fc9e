import AVFoundation
import Foundation
import Glibc
import MediaRuntime

extension Command {
  @MainActor static let thumbnail = Command(
    name: "thumbnail", usage: "thumbnail [OPTION…] FILE…",
    summary: "Make still pictures of films: single ones, contact sheets, sprite sheets for web players.",
    options: ThumbnailOptions.specs
  ) { parsed, completion in
    let command = try ThumbnailCommand(try ThumbnailOptions(parsed), completion)
    ThumbnailCommand.current = command
    command.next()
  }
}

/// Makes pictures of files one after the other; a file that has none doesn't stop the others.
@MainActor
final class ThumbnailCommand {
  static var current: ThumbnailCommand?

  private let options: ThumbnailOptions
  private let file: ThumbnailFile
  private var rest: ArraySlice<(address: String, names: ThumbnailNames)>
  private let completion: (ExitCode) -> Void
  private var exitCode = ExitCode.success
  private var objects: [String] = []
  private let progress = ThumbnailProgress()

  init(_ options: ThumbnailOptions, _ completion: @escaping (ExitCode) -> Void) throws(UsageError) {
    self.options = options
    self.completion = completion
    file = ThumbnailFile(protecting: options.addresses.compactMap { PlayEntry($0).url?.path })
    var entries: [(address: String, names: ThumbnailNames)] = []
    var taken: [String: String] = [:]
    for address in options.addresses {
      let names = try ThumbnailNames(options, source: PlayEntry(address).url?.path ?? address) { path in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
      }
      if let other = taken[names.path(0, of: 1)] {
        throw UsageError("The pictures of \(other) and \(address) would have one name. Make them one after the other.")
      }
      taken[names.path(0, of: 1)] = address
      entries.append((address, names))
    }
    rest = entries[...]
  }

  func next() {
    guard let (address, names) = rest.popFirst() else {
      if options.asJSON { ProgramOutput.write("[" + objects.joined(separator: ",\n ") + "]\n") }
      return completion(exitCode)
    }
    let entry = PlayEntry(address)
    guard let url = entry.url else {
      return fail(address, entry.problem ?? "This is not an address.", .sourceUnavailable)
    }
    var settings: [String: Any] = [:]
    if options.subtitles != nil {
      settings[AVURLAssetSubtitleFilesKey] = AVURLAsset.subtitleFiles(besideMediaAt: url)
    }
    let asset = AVURLAsset(url: url, options: settings)
    // `self` is the process's one command, so it is there when the answer comes.
    asset.loadValuesAsynchronously(forKeys: ["duration", "tracks", "metadata"]) {
      onMain { ThumbnailCommand.current?.loaded(asset, address, names) }
    }
  }

  private func loaded(_ asset: AVURLAsset, _ address: String, _ names: ThumbnailNames) {
    var error: NSError?
    guard asset.statusOfValue(forKey: "tracks", error: &error) == .loaded else {
      let failure = PlayFailure(error)
      return fail(address, failure.message, failure.exitCode)
    }
    guard !asset.tracks(withMediaType: .video).isEmpty else { return showCover(asset, address, names) }
    guard let wish = options.subtitles else { return begin(asset, nil, address, names) }
    ThumbnailSubtitles.open(wish, of: asset) { result in
      onMain { ThumbnailCommand.current?.opened(result, asset, address, names) }
    }
  }

  private func opened(
    _ subtitles: Result<ThumbnailSubtitles, MediaError>, _ asset: AVURLAsset, _ address: String, _ names: ThumbnailNames
  ) {
    switch subtitles {
    case .success(let subtitles): begin(asset, subtitles, address, names)
    case .failure(let error): fail(address, error.message, .playbackFailed)
    }
  }

  private func begin(
    _ asset: AVURLAsset, _ subtitles: ThumbnailSubtitles?, _ address: String, _ names: ThumbnailNames
  ) {
    guard let plan = ThumbnailPlan(options, duration: asset.duration) else {
      return choose(generator(asset), asset.duration, subtitles, address, names)
    }
    make(plan, generator(asset), subtitles, address, names)
  }

  private func generator(_ asset: AVURLAsset) -> AVAssetImageGenerator {
    let generator = AVAssetImageGenerator(asset: asset)
    generator.appliesPreferredTrackTransform = true
    let usual = options.sheet == nil ? CGSize.zero : CGSize(width: options.writesCues ? 160 : 320, height: 0)
    generator.maximumSize = options.size ?? usual
    return generator
  }

  // MARK: One picture

  private func choose(
    _ generator: AVAssetImageGenerator, _ duration: CMTime, _ subtitles: ThumbnailSubtitles?, _ address: String,
    _ names: ThumbnailNames
  ) {
    ThumbnailChoice(generator, duration: duration) { found, error in
      onMain { ThumbnailCommand.current?.chose(found, error, subtitles, address, names) }
    }.next()
  }

  private func chose(
    _ found: ThumbnailChoice.Found?, _ error: (any Error)?, _ subtitles: ThumbnailSubtitles?, _ address: String,
    _ names: ThumbnailNames
  ) {
    guard let found else {
      let failure = PlayFailure(error)
      return fail(address, failure.message, failure.exitCode == .playbackFailed ? .notMedia : failure.exitCode)
    }
    let shot = ThumbnailPlan.Shot(time: found.time, start: found.time, end: found.time)
    var single = options
    single.sheet = nil
    single.writesCues = false
    let writer = ThumbnailWriter(ThumbnailPlan(shots: [shot]), single, names, file)
    // One picture is all that there is to do: main may wait.
    writer.take(
      subtitles?.draw(over: found.image, at: found.time) ?? found.image, at: found.time, problem: nil)
    finish(writer, subtitles, address)
  }

  /// Music has the picture of its cover.
  private func showCover(_ asset: AVURLAsset, _ address: String, _ names: ThumbnailNames) {
    let cover = asset.metadata.first { $0.commonKey == .commonKeyArtwork }?.dataValue
    guard ThumbnailPlan(options, duration: asset.duration) == nil, let cover,
      let url = URL(string: "data:application/octet-stream;base64,\(cover.base64EncodedString())")
    else {
      return fail(address, "There is no video in it, so there are no pictures. Choose a film.", .notMedia)
    }
    choose(generator(AVURLAsset(url: url)), .zero, nil, address, names)
  }

  // MARK: Many

  private func make(
    _ plan: ThumbnailPlan, _ generator: AVAssetImageGenerator, _ subtitles: ThumbnailSubtitles?, _ address: String,
    _ names: ThumbnailNames
  ) {
    if !options.isQuick {
      generator.requestedTimeToleranceBefore = .zero
      generator.requestedTimeToleranceAfter = .zero
    }
    let plan = ThumbnailPlan(shots: plan.shots.sorted { $0.time < $1.time })
    let writer = ThumbnailWriter(plan, options, names, file)
    let count = plan.shots.count
    let progress = progress
    let isQuick = options.isQuick
    generator.generateCGImagesAsynchronously(forTimes: plan.shots.map { NSValue(time: $0.time) }) {
      wanted, image, time, _, error in
      // A frame is shown up to the next one, and what is said meanwhile with it.
      let image = image.map { subtitles?.draw(over: $0, at: isQuick ? time : wanted) ?? $0 }
      let done = writer.take(image, at: time, problem: error.map { PlayFailure($0).message })
      progress.show(done, of: count)
      if done == count { onMain { ThumbnailCommand.current?.finish(writer, subtitles, address) } }
    }
  }

  private func finish(_ writer: ThumbnailWriter, _ subtitles: ThumbnailSubtitles?, _ address: String) {
    let cues = writer.finish()
    progress.clear()
    if let failure = writer.failure { return fail(address, failure.message, .outputFailed) }
    let problems = writer.problems + [subtitles?.problem].compactMap { $0 }
    if options.asJSON {
      objects.append(json(writer, cues, problems, address).text)
    } else {
      var shown: [String] = []
      for path in writer.written.map(\.path) + [cues].compactMap({ $0 }) where shown.last != path { shown.append(path) }
      for path in shown { ProgramOutput.write(StatusLine.printable(path) + "\n") }
      for problem in problems { tell("\(address): \(problem)") }
    }
    if !problems.isEmpty { exitCode = exitCode.combined(with: writer.written.isEmpty ? .notMedia : .playbackFailed) }
    next()
  }

  private func json(_ writer: ThumbnailWriter, _ cues: String?, _ problems: [String], _ address: String) -> JSONValue {
    let images = writer.written.map { written in
      JSONValue.object([
        "time": .number(written.time.seconds), "actualTime": .number(written.actualTime.seconds),
        "path": .string(written.path), "x": .integer(Int64(written.x)), "y": .integer(Int64(written.y)),
        "width": .integer(Int64(written.width)), "height": .integer(Int64(written.height)),
      ])
    }
    var members: [String: JSONValue] = ["address": .string(address), "images": .array(images)]
    if let cues { members["vtt"] = .string(cues) }
    if !problems.isEmpty { members["errors"] = .array(problems.map(JSONValue.string)) }
    return .object(members)
  }

  private func fail(_ address: String, _ message: String, _ code: ExitCode) {
    exitCode = exitCode.combined(with: code)
    if options.asJSON {
      objects.append(JSONValue.object(["address": .string(address), "error": .string(message)]).text)
    } else {
      tell("\(address): \(message)")
    }
    next()
  }

  private func tell(_ text: String) { ProgramOutput.tell("sprocket: \(StatusLine.printable(text))\n") }
}

/// How many pictures are made, on a terminal.
struct ThumbnailProgress: Sendable {
  private let isShown = isatty(STDERR_FILENO) == 1

  func show(_ done: Int, of count: Int) {
    guard isShown, count > 1 else { return }
    ProgramOutput.tell("\r\(done) of \(count)\u{1B}[K")
  }

  func clear() {
    if isShown { ProgramOutput.tell("\r\u{1B}[K") }
  }
}

/// Goes on where the program's commands live.
private func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
  RealScheduler.shared.deliver("thumbnails", to: nil) { MainActor.assumeIsolated { body() } }
}
