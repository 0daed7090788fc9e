import AVFoundation
import Foundation
import MediaEngine
import MediaRuntime

/// Which subtitles `play` shows.
struct SubtitleOptions: Equatable {
  enum Choice: Equatable {
    case off
    /// From 1, in the order of `sprocket info`, side files behind the media's own.
    case number(Int)
    /// BCP 47 or what is near it.
    case language(String)
  }

  /// A file that the user named; it is shown unless a choice says otherwise.
  var file: String?
  var choice: Choice?
  var second: Choice?
  /// Seconds; positive shows them later.
  var delay = 0.0

  static let specs = [
    OptionSpec("sub", value: "FILE", "show subtitles from FILE (SubRip, WebVTT, SubStation Alpha)"),
    OptionSpec("subtitles", value: "WHICH", "show those of a language (en), a number from 1, or off"),
    OptionSpec("second-subtitles", value: "WHICH", "show these too, at the upper edge"),
    OptionSpec("sub-delay", value: "SECONDS", "show subtitles later by SECONDS, earlier if negative"),
  ]

  init() {}

  init(_ parsed: ParsedArguments) throws(UsageError) {
    file = parsed.value("sub")
    if let text = parsed.value("subtitles") { choice = try Choice(text, option: "subtitles") }
    if let text = parsed.value("second-subtitles") { second = try Choice(text, option: "second-subtitles") }
    if let text = parsed.value("sub-delay") {
      guard let seconds = Double(text), seconds.isFinite, abs(seconds) <= 86_400 else {
        throw UsageError("--sub-delay \(text) is no number of seconds. Write 1.5, or --sub-delay=-0.5.")
      }
      delay = seconds
    }
  }
}

extension SubtitleOptions.Choice {
  init(_ text: String, option: String) throws(UsageError) {
    if text == "off" || text == "none" {
      self = .off
    } else if let number = Int(text) {
      guard number > 0 else { throw UsageError("--\(option) \(text): tracks count from 1; off shows none.") }
      self = .number(number)
    } else if text.isEmpty {
      throw UsageError("--\(option) needs a language such as en, a number from 1, or off.")
    } else {
      self = .language(text)
    }
  }
}

/// The subtitles of the item that plays: the first choice, and what keys change.
@MainActor
final class PlaySubtitles {
  private let options: SubtitleOptions
  private(set) var delay: Double
  private var item: AVPlayerItem?
  private var group: AVMediaSelectionGroup?

  init(_ options: SubtitleOptions) {
    self.options = options
    delay = options.delay
  }

  /// The side files of a film: the one that the user named first.
  func files(for url: URL) -> [URL] {
    let found = AVURLAsset.subtitleFiles(besideMediaAt: url)
    guard let file = options.file.map({ URL(fileURLWithPath: $0) }) else { return found }
    return [file] + found.filter { $0.standardizedFileURL != file.standardizedFileURL }
  }

  /// The item is ready.
  /// - Returns: what could not be done, in words for the user.
  func begin(_ item: AVPlayerItem, url: URL) -> String? {
    self.item = item
    group = item.asset.mediaSelectionGroup(forMediaCharacteristic: .legible)
    item.subtitleDelay = CMTime(seconds: delay, preferredTimescale: 1_000)
    let sideFiles = files(for: url)
    if let problem = unreadable { return problem }
    guard let group else {
      return options.choice == nil && options.second == nil ? nil : "There are no subtitles to choose from."
    }
    var problem: String?
    func option(_ choice: SubtitleOptions.Choice) -> AVMediaSelectionOption? {
      switch choice {
      case .off: return nil
      case .number(let number):
        if group.options.indices.contains(number - 1) { return group.options[number - 1] }
        problem = "There are subtitles 1 to \(group.options.count), and no \(number)."
        return nil
      case .language(let tag):
        let found = AVMediaSelectionGroup.mediaSelectionOptions(
          from: group.options, filteredAndSortedAccordingToPreferredLanguages: [tag])
        if found.isEmpty { problem = "There are no subtitles in “\(tag)”." }
        return found.first
      }
    }
    let firstSide = group.options.count - sideFiles.count
    if let choice = options.choice {
      item.select(option(choice), in: group)
    } else if firstSide >= 0, let index = standard(among: sideFiles, of: url) {
      item.select(group.options[firstSide + index], in: group)
    }
    if let second = options.second { item.secondaryLegibleOption = option(second) }
    return problem
  }

  /// What is wrong with the file that the user named: it would show nothing, and not say why.
  private var unreadable: String? {
    guard let file = options.file else { return nil }
    do {
      _ = try SubtitleFile(Array(try Data(contentsOf: URL(fileURLWithPath: file))), address: file)
      return nil
    } catch let error as MediaError {
      return error.message
    } catch {
      return "The subtitles \(file) can't be read: \(error.localizedDescription)"
    }
  }

  /// The one that was named, else the one that has the film's name and nothing more.
  private func standard(among files: [URL], of film: URL) -> Int? {
    if options.file != nil { return 0 }
    let name = film.deletingPathExtension().lastPathComponent
    return files.firstIndex { $0.deletingPathExtension().lastPathComponent == name }
  }

  /// The next ones, after the last of all none.
  /// - Returns: what is shown now, for the status line.
  func showNext() -> String {
    guard let item, let group, !group.options.isEmpty else { return "No subtitles" }
    let shown = item.currentMediaSelection.selectedMediaOption(in: group)
    let next = shown.flatMap { group.options.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    let option = next < group.options.count ? group.options[next] : nil
    item.select(option, in: group)
    return option.map { "Subtitles \(next + 1)/\(group.options.count): \($0.displayName)" } ?? "Subtitles off"
  }

  /// - Returns: the delay now, for the status line.
  func changeDelay(by seconds: Double) -> String {
    delay = ((delay + seconds) * 1_000).rounded() / 1_000
    item?.subtitleDelay = CMTime(seconds: delay, preferredTimescale: 1_000)
    return "Subtitles \(Int((delay * 1_000).rounded())) ms later"
  }
}
