import AVFoundation
import Foundation
import MediaRuntime

/// Which subtitles a film's pictures get.
enum SubtitleWish: Equatable, Sendable {
  /// Those in the user's language if there are any, else the first.
  case usual
  case chosen(SubtitleOptions.Choice)
  case file(URL)

  /// Nil: none are wanted.
  init?(_ parsed: ParsedArguments) throws(UsageError) {
    guard let text = parsed.value("subtitles") else {
      guard let path = parsed.value("sub") else { return nil }
      guard parsed.positionals.count == 1 else { throw UsageError("--sub goes with one film.") }
      self = .file(URL(fileURLWithPath: path))
      return
    }
    guard !parsed.has("sub") else {
      throw UsageError("--sub names the subtitles: it goes without --subtitles.")
    }
    guard !text.isEmpty else {
      self = .usual
      return
    }
    let choice = try SubtitleOptions.Choice(text, option: "subtitles")
    if choice == .off { return nil }
    self = .chosen(choice)
  }

  /// Nil when there is none such. Those of foreign speech alone come last.
  func option(of options: [AVMediaSelectionOption], preferred: [String] = Locale.preferredLanguages)
    -> AVMediaSelectionOption?
  {
    let playable = AVMediaSelectionGroup.playableMediaSelectionOptions(from: options)
    let whole = AVMediaSelectionGroup.mediaSelectionOptions(
      from: playable, withoutMediaCharacteristics: [.containsOnlyForcedSubtitles])
    let ranked = whole + playable.filter { !whole.contains($0) }
    func first(in languages: [String], of options: [AVMediaSelectionOption]) -> AVMediaSelectionOption? {
      AVMediaSelectionGroup.mediaSelectionOptions(
        from: options, filteredAndSortedAccordingToPreferredLanguages: languages
      ).first
    }
    switch self {
    case .chosen(.number(let number)):
      return options.indices.contains(number - 1) ? options[number - 1] : nil
    case .chosen(.language(let tag)): return first(in: [tag], of: ranked)
    case .usual: return first(in: preferred, of: whole) ?? ranked.first
    case .chosen(.off), .file: return nil
    }
  }

  func missing(in options: [AVMediaSelectionOption]) -> MediaError {
    guard !options.isEmpty else {
      return MediaError(.subtitlesUnknown, "There are no subtitles in it or beside it. Name a file of them with --sub.")
    }
    let known = options.enumerated().map { "\($0.offset + 1) \($0.element.displayName)" }.joined(separator: ", ")
    switch self {
    case .chosen(.number(let number)):
      return MediaError(.subtitlesUnknown, "There are no subtitles \(number). Choose one of these: \(known).")
    case .chosen(.language(let tag)):
      return MediaError(.subtitlesUnknown, "There are no subtitles in “\(tag)”. Choose one of these: \(known).")
    case .usual, .chosen(.off), .file:
      return MediaError(
        .subtitlesUnknown, "None of its subtitles can be decoded here (\(known)). Name a file with --sub.")
    }
  }
}
