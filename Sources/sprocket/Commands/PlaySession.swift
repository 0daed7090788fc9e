import AVFoundation
import Glibc

/// Plays a list of addresses one after the other on one player, and tells a reporter.
///
/// Uses only what any client of AVFoundation has: it is also the proof that a player can be written on it.
@MainActor
final class PlaySession {
  let options: PlayOptions
  let player = AVPlayer()
  let subtitles: PlaySubtitles
  private let reporter: any PlayReporter
  private let completion: (ExitCode) -> Void
  private let entries: [PlayEntry]
  private(set) var position = -1
  private var playedTimes = 0
  private var exitCode = ExitCode.success
  private var state: PlayState?
  private var isFinished = false
  private var itemObservations: [NSKeyValueObservation] = []
  private var playerObservations: [NSKeyValueObservation] = []
  private var notificationTokens: [any NSObjectProtocol] = []
  private var timeObserver: Any?
  /// Called when a new item became current, before it is ready.
  var onItemChange: ((AVPlayerItem?) -> Void)?

  init(options: PlayOptions, reporter: any PlayReporter, completion: @escaping (ExitCode) -> Void) {
    self.options = options
    self.reporter = reporter
    self.completion = completion
    subtitles = PlaySubtitles(options.subtitles)
    entries = options.addresses.map(PlayEntry.init)
    player.volume = options.volume
    player.isMuted = options.isMuted
  }

  func start() {
    let interval = CMTime(value: 1, timescale: 4)
    timeObserver = player.addPeriodicTimeObserver(forInterval: interval, queue: nil) { [weak self] time in
      MainActor.assumeIsolated { self?.timeChanged(time) }
    }
    playerObservations = [
      player.observe(\.timeControlStatus) { [weak self] _, _ in
        MainActor.assumeIsolated { self?.updateState() }
      },
      player.observe(\.reasonForWaitingToPlay) { [weak self] _, _ in
        MainActor.assumeIsolated { self?.updateState() }
      },
    ]
    advance(by: 1)
  }

  /// Ends playing; the completion tells the exit code.
  func finish(_ code: ExitCode? = nil) {
    guard !isFinished else { return }
    isFinished = true
    if let code { exitCode = code }
    leaveItem()
    player.replaceCurrentItem(with: nil)
    if let timeObserver { player.removeTimeObserver(timeObserver) }
    timeObserver = nil
    playerObservations = []
    reporter.finish()
    completion(exitCode)
  }

  /// Goes on to another entry; past the last one is the end, before the first one is the first.
  func advance(by count: Int) {
    let next = max(position + count, 0)
    guard next < entries.count else { return finish() }
    position = next
    playedTimes = 0
    play(entries[next])
  }

  func togglePlaying() {
    if player.rate != 0 {
      player.pause()
    } else if state == .ended {
      seek(to: .zero) { [weak self] in self?.player.play() }
    } else {
      player.play()
    }
  }

  /// Moves by seconds within the item.
  func skip(_ seconds: Double) {
    guard let item = player.currentItem, item.status == .readyToPlay else { return }
    var target = player.currentTime() + CMTime(seconds: seconds, preferredTimescale: 1000)
    target = max(target, .zero)
    if item.duration.isNumeric { target = min(target, item.duration) }
    seek(to: target)
  }

  /// To a share of the duration, in tenths.
  func jump(toTenth tenth: Int) {
    guard let duration = player.currentItem?.duration, duration.isNumeric else { return }
    seek(to: CMTimeMultiplyByRatio(duration, multiplier: Int32(tenth), divisor: 10))
  }

  func step(by count: Int) {
    player.pause()
    player.currentItem?.step(byCount: count)
  }

  func changeVolume(by change: Float) {
    player.volume = min(max(player.volume + change, 0), 1)
    reporter.timeChanged(player.currentTime(), duration: player.currentItem?.duration ?? .indefinite)
  }

  func toggleMuted() {
    player.isMuted.toggle()
    reporter.timeChanged(player.currentTime(), duration: player.currentItem?.duration ?? .indefinite)
  }

  // MARK: One item

  private func play(_ entry: PlayEntry) {
    leaveItem()
    state = nil
    reporter.begin(address: entry.address, position: position + 1, of: entries.count)
    guard let url = entry.url else {
      return fail(entry.problem ?? "This is not an address.", code: .sourceUnavailable)
    }
    let item = AVPlayerItem(
      asset: AVURLAsset(url: url, options: [AVURLAssetSubtitleFilesKey: subtitles.files(for: url)]))
    observe(item)
    if let start = options.start {
      item.seek(to: start, toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
    }
    player.replaceCurrentItem(with: item)
    onItemChange?(item)
    player.play()
    updateState()
  }

  private func observe(_ item: AVPlayerItem) {
    itemObservations = [
      item.observe(\.status, options: [.initial, .new]) { [weak self] item, _ in
        MainActor.assumeIsolated { self?.statusChanged(item) }
      }
    ]
    let center = NotificationCenter.default
    notificationTokens = [
      center.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: .main) { [weak self] _ in
        MainActor.assumeIsolated { self?.ended() }
      },
      center.addObserver(forName: .AVPlayerItemFailedToPlayToEndTime, object: item, queue: .main) { [weak self] note in
        let error = note.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? any Error
        let failure = PlayFailure(error)
        MainActor.assumeIsolated { self?.fail(failure.message, code: .playbackFailed) }
      },
    ]
  }

  private func leaveItem() {
    itemObservations = []
    for token in notificationTokens { NotificationCenter.default.removeObserver(token) }
    notificationTokens = []
  }

  private func statusChanged(_ item: AVPlayerItem) {
    guard item === player.currentItem || player.currentItem == nil else { return }
    switch item.status {
    case .readyToPlay:
      if beginning > .zero, item.duration.isNumeric, beginning >= item.duration { return failToStart(item) }
      if !options.showsVideo {
        guard item.tracks.contains(where: { $0.assetTrack?.mediaType == .audio }) else {
          return fail(
            "There is no sound in this file. Play it without --no-video and --audio-only.", code: .playbackFailed)
        }
        disablePicture(item)
      }
      reporter.opened(item, summary: TrackSummary.text(item))
      showSubtitles(item)
      updateState()
    case .failed:
      let failure = PlayFailure(item.error)
      fail(failure.message, code: failure.exitCode)
    default:
      break
    }
  }

  private func showSubtitles(_ item: AVPlayerItem) {
    guard options.showsVideo, let url = entries[position].url else { return }
    if let problem = subtitles.begin(item, url: url) { warn(problem) }
  }

  private func disablePicture(_ item: AVPlayerItem) {
    for track in item.tracks where track.assetTrack?.mediaType == .video { track.isEnabled = false }
  }

  private func ended() {
    let item = player.currentItem
    let hasPlayed = player.currentTime() > beginning
    // Where the duration was not known before.
    if let item, beginning > .zero, !hasPlayed { return failToStart(item) }
    setState(.ended)
    reporter.ended(at: player.currentTime(), duration: item?.duration ?? .indefinite)
    playedTimes += 1
    if playedTimes == 1, let problem = item?.errorLog()?.events.last?.errorComment { warn(problem) }
    // What has no length would end again and again.
    if hasPlayed, playedTimes < options.repetitions ?? .max {
      seek(to: beginning) { [weak self] in self?.player.play() }
    } else {
      advance(by: 1)
    }
  }

  private var beginning: CMTime { options.start ?? .zero }

  private func failToStart(_ item: AVPlayerItem) {
    fail(
      "There is nothing to play from \(TimeText.text(beginning)) on, because it ends at \(TimeText.duration(item.duration)). Give an earlier --start.",
      code: .playbackFailed)
  }

  private func fail(_ message: String, code: ExitCode) {
    guard !isFinished else { return }
    setState(.failed)
    exitCode = exitCode.combined(with: code)
    reporter.failed(address: entries[position].address, message: message)
    advance(by: 1)
  }

  /// It played to the end of what there is, and yet not all is well.
  private func warn(_ message: String) {
    exitCode = exitCode.combined(with: .playbackFailed)
    reporter.warned(address: entries[position].address, message: message)
  }

  private func seek(to time: CMTime, then completion: (@MainActor () -> Void)? = nil) {
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { finished in
      guard finished else { return }
      MainActor.assumeIsolated { completion?() }
    }
  }

  private func timeChanged(_ time: CMTime) {
    guard !isFinished, let item = player.currentItem, item.status == .readyToPlay else { return }
    if state == .ended, player.rate == 0, item.duration.isNumeric, time < item.duration { setState(.paused) }
    reporter.timeChanged(time, duration: item.duration)
  }

  private func updateState() {
    guard !isFinished, let item = player.currentItem else { return }
    if item.status == .unknown { return setState(.loading) }
    switch player.timeControlStatus {
    case .playing: setState(.playing)
    case .waitingToPlayAtSpecifiedRate:
      setState(player.reasonForWaitingToPlay == .evaluatingBufferingRate ? .evaluating : .buffering)
    default: pausedUnlessEnded()
    }
  }

  /// At its end the player pauses itself, and the notification that says why is on its way.
  private func pausedUnlessEnded() {
    DispatchQueue.main.async {
      MainActor.assumeIsolated { [weak self] in
        guard let self, !self.isFinished, self.player.timeControlStatus == .paused else { return }
        if self.state != .ended, self.state != .failed { self.setState(.paused) }
      }
    }
  }

  private func setState(_ new: PlayState) {
    guard state != new else { return }
    state = new
    reporter.stateChanged(new, at: player.currentTime(), duration: player.currentItem?.duration ?? .indefinite)
  }
}

/// An argument of the command line as an address.
struct PlayEntry {
  let address: String
  let url: URL?
  let problem: String?

  /// What names a scheme is a URL; all else is a path, whatever characters it holds.
  init(_ address: String) {
    self.address = address
    let scheme = Self.scheme(of: address)
    switch scheme {
    case nil where address.contains("\u{FFFD}") && access(address, F_OK) != 0:
      // Arguments are text; what can't be read as UTF-8 has become this sign.
      url = nil
      problem = "The file's name is not UTF-8 text: rename it, or play it through a link of another name."
    case nil:
      url = address.isEmpty ? nil : URL(fileURLWithPath: address == "-" ? "/dev/stdin" : address)
      problem = "An address is missing."
    case "file":
      url = URL(string: address)
      problem = "This file address is malformed: encode blanks and other special characters, or give the path itself."
    case "http", "https":
      url = nil
      problem = "Playing over the network is not there yet: download the file and play it from disk."
    default:
      url = nil
      problem = "Addresses that begin with \(scheme ?? ""): are not supported: give a file's path."
    }
  }

  private static func scheme(of address: String) -> String? {
    guard let end = address.firstRange(of: "://") else { return nil }
    let scheme = address[..<end.lowerBound]
    let isScheme = scheme.first?.isLetter == true && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isScheme ? scheme.lowercased() : nil
  }
}
