import AVFoundation
import Foundation
import VideoOutput

/// The player in a terminal: picture above, two status lines below, keys.
@MainActor
final class TerminalPlayer: PlayReporter {
  private let screen: TerminalScreen
  private let picture: TerminalPicture
  private var keys = KeyDecoder()
  private var status = StatusLine()
  private var showsHelp = false {
    didSet { picture.isHidden = showsHelp }
  }
  private var isEntered = false
  private let errors = HeldErrors()
  private var problems: [String] = []
  weak var session: PlaySession? {
    didSet { picture.player = session?.player }
  }

  static let statusRows = 2
  /// Calls of `timeChanged` that a remark lasts: some two seconds while playing.
  private static let remarkTicks = 8
  private var remarkTicks = 0

  init(screen: TerminalScreen, style: TerminalPictureStyle?) {
    self.screen = screen
    picture = TerminalPicture(screen: screen, wantedStyle: style, reservedRows: Self.statusRows)
    picture.onProblem = { [weak self] problem in
      self?.problems.append(problem)
      self?.remark(problem)
    }
  }

  /// - Returns: keys that were typed while the terminal was asked what it can do.
  func enter() -> [Key] {
    guard !isEntered else { return [] }
    isEntered = true
    errors.begin()
    keys.answers = []
    let typed = screen.enter()
    picture.screenChanged()
    drawStatus()
    return keys.decode(typed)
  }

  var isInForeground: Bool { screen.isInForeground }

  func leave() {
    guard isEntered else { return }
    isEntered = false
    picture.remove()
    screen.leave()
    errors.end()
  }

  /// `SIGWINCH`.
  func resize() {
    screen.measure()
    screen.clear()
    picture.screenChanged()
    redraw()
  }

  /// Bytes wait at the keyboard.
  func readKeys() {
    let (bytes, isGone) = screen.readKeys()
    if isGone {
      session?.finish(.interrupted)
      return
    }
    let pressed = keys.decode(bytes)
    if screen.takeLateAnswer(keys.answers) {
      screen.clear()
      picture.screenChanged()
      redraw()
    }
    handle(pressed)
  }

  /// Bytes have come that may be the beginning of a key's: more may follow, or an escape was the key itself.
  var isWaitingForKey: Bool { keys.isWaiting }

  /// Nothing has followed.
  func flushKeys() { handle(keys.flush()) }

  // MARK: PlayReporter

  func begin(address: String, position: Int, of count: Int) {
    status = StatusLine()
    status.title = (count > 1 ? "[\(position)/\(count)] " : "") + (address as NSString).lastPathComponent
    if let session {
      status.volume = session.player.volume
      status.isMuted = session.player.isMuted
    }
    picture.item = nil
    drawStatus()
  }

  func opened(_ item: AVPlayerItem, summary: String) {
    status.duration = item.duration
    if let title = Self.title(of: item) { status.title = title }
    status.chapter = nil
    if session?.options.showsVideo == true { picture.item = item }
    drawStatus()
  }

  func stateChanged(_ state: PlayState, at time: CMTime, duration: CMTime) {
    status.state = state
    timeChanged(time, duration: duration)
  }

  func timeChanged(_ time: CMTime, duration: CMTime) {
    status.time = time
    status.duration = duration
    if remarkTicks > 0 {
      remarkTicks -= 1
      if remarkTicks == 0 { status.remark = nil }
    }
    if let player = session?.player {
      status.volume = player.volume
      status.isMuted = player.isMuted
      status.rate = player.rate
      status.bufferedFraction = Self.bufferedFraction(player.currentItem, at: time)
    }
    drawStatus()
  }

  func failed(address: String, message: String) {
    problems.append("\(address): \(message)")
    status.message = message
    drawStatus()
  }

  func warned(address: String, message: String) { failed(address: address, message: message) }

  func ended(at time: CMTime, duration: CMTime) {
    status.state = .ended
    timeChanged(time, duration: duration)
  }

  func finish() {
    leave()
    // What went wrong must outlive the alternate screen.
    for problem in problems { ProgramOutput.tell("sprocket: \(StatusLine.printable(problem))\n") }
  }

  // MARK: Keys

  func handle(_ pressed: [Key]) {
    for key in pressed { handle(key) }
  }

  private func handle(_ key: Key) {
    guard let session else { return }
    if showsHelp {
      showsHelp = false
      screen.clear()
      redraw()
      if key == .character("?") || key == .escape { return }
    }
    switch key {
    case .character(" "): session.togglePlaying()
    case .left: session.skip(-5)
    case .right: session.skip(5)
    case .up: session.skip(60)
    case .down: session.skip(-60)
    case .character(","): session.step(by: -1)
    case .character("."): session.step(by: 1)
    case .character("m"): session.toggleMuted()
    case .character("+"), .character("="): session.changeVolume(by: 0.05)
    case .character("-"): session.changeVolume(by: -0.05)
    case .character("v"): remark(session.subtitles.showNext())
    case .character("z"): remark(session.subtitles.changeDelay(by: -0.1))
    case .character("x"): remark(session.subtitles.changeDelay(by: 0.1))
    case .character("n"): session.advance(by: 1)
    case .character("p"): session.advance(by: -1)
    case .character("?"), .character("h"): showHelp()
    case .character("q"), .control("c"): session.finish()
    case .home: session.jump(toTenth: 0)
    case .character(let digit):
      if let tenth = digit.wholeNumberValue, digit.isASCII { session.jump(toTenth: tenth) }
    default: break
    }
  }

  private static let help = [
    "space     play or pause", "← →       5 seconds back or on", "↑ ↓       a minute on or back",
    ", .       a frame back or on", "0 … 9     to that tenth of the film", "+ -       louder, softer",
    "m         sound off or on", "v         next subtitles, or none", "z x       subtitles earlier, later",
    "n p       next, previous file", "q         leave", "?         this help",
  ]

  /// Shown in place of the title for a moment.
  private func remark(_ text: String) {
    status.remark = text
    remarkTicks = Self.remarkTicks
    drawStatus()
  }

  private func showHelp() {
    showsHelp = true
    screen.clear()
    drawHelp()
  }

  private func drawHelp() {
    let geometry = screen.geometry
    var out = ""
    for (index, line) in Self.help.enumerated() where index < geometry.rows {
      out += "\u{1b}[\(index + 1);1H\(StatusLine.fitted("  " + line, width: geometry.columns))"
    }
    screen.write(Array(out.utf8))
  }

  // MARK: Drawing

  private func redraw() {
    guard isEntered else { return }
    if showsHelp { return drawHelp() }
    picture.draw(force: true)
    drawStatus()
  }

  private func drawStatus() {
    guard isEntered, !showsHelp else { return }
    let geometry = screen.geometry
    guard geometry.rows >= Self.statusRows else { return }
    let heading = status.heading(width: geometry.columns)
    let progress = status.progress(width: geometry.columns)
    let text =
      "\u{1b}[\(geometry.rows - 1);1H\u{1b}[0;1m\(heading)\u{1b}[0m\u{1b}[\(geometry.rows);1H\(progress)\u{1b}[0m"
    screen.write(Array(text.utf8))
  }

  private static func title(of item: AVPlayerItem) -> String? {
    let titles = AVMetadataItem.metadataItems(
      from: item.asset.commonMetadata, filteredByIdentifier: .commonIdentifierTitle)
    return titles.first?.stringValue
  }

  private static func bufferedFraction(_ item: AVPlayerItem?, at time: CMTime) -> Double? {
    guard let item, item.duration.isNumeric, item.duration.value > 0 else { return nil }
    let ranges = item.loadedTimeRanges.map(\.timeRangeValue)
    guard let range = ranges.first(where: { $0.containsTime(time) }) ?? ranges.first else { return nil }
    return range.end.seconds / item.duration.seconds
  }
}
