import AVFoundation
import Foundation
import MediaRuntime

/// Which subtitles a command was asked for.
enum SubtitleWish: Equatable, Sendable {
  case track(SubtitleTrackChoice)
  case file(URL)
}

/// Which of a film's own subtitles, or of the files beside it.
enum SubtitleTrackChoice: Equatable, Sendable {
  /// In the user's language if there are any, else the first.
  case usual
  /// Counted from 1.
  case number(Int)
  /// As BCP 47 or ISO 639 write it.
  case language(String)

  init(_ text: String) {
    if text.isEmpty {
      self = .usual
    } else {
      self = Int(text).map { .number($0) } ?? .language(text)
    }
  }

  /// Nil when there is none such. Those of foreign speech alone come last.
  func option(of options: [AVMediaSelectionOption], preferred: [String] = Locale.preferredLanguages)
    -> AVMediaSelectionOption?
  {
    let playable = AVMediaSelectionGroup.playableMediaSelectionOptions(from: options)
    let whole = AVMediaSelectionGroup.mediaSelectionOptions(
      from: playable, withoutMediaCharacteristics: [.containsOnlyForcedSubtitles])
    let ranked = whole + playable.filter { !whole.contains($0) }
    switch self {
    case .number(let number): return options.indices.contains(number - 1) ? options[number - 1] : nil
    case .language(let language):
      return AVMediaSelectionGroup.mediaSelectionOptions(from: ranked, with: Locale(identifier: language)).first
    case .usual:
      let own = AVMediaSelectionGroup.mediaSelectionOptions(
        from: whole, filteredAndSortedAccordingToPreferredLanguages: preferred)
      return own.first ?? ranked.first
    }
  }

  func missing(in options: [AVMediaSelectionOption]) -> MediaError {
    guard !options.isEmpty else {
      return MediaError(.subtitlesUnknown, "There are no subtitles in it or beside it. Name a file of them with --sub.")
    }
    let known = options.enumerated().map { "\($0.offset + 1) \($0.element.displayName)" }.joined(separator: ", ")
    switch self {
    case .usual:
      return MediaError(
        .subtitlesUnknown, "None of its subtitles can be decoded here (\(known)). Name a file with --sub.")
    case .number(let number):
      return MediaError(.subtitlesUnknown, "There are no subtitles \(number). Choose one of these: \(known).")
    case .language(let language):
      return MediaError(.subtitlesUnknown, "There are no subtitles in “\(language)”. Choose one of these: \(known).")
    }
  }
}
