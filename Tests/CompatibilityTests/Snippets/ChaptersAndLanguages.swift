import AVFoundation

struct Chapter: Equatable {
  let title: String
  let start: TimeInterval
  let duration: TimeInterval
}

/// A chapter list for a menu.
func chapters(of asset: AVAsset) async throws -> [Chapter] {
  let languages = Locale.preferredLanguages
  var result: [Chapter] = []
  for group in try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: languages) {
    let titles = AVMetadataItem.metadataItems(from: group.items, filteredByIdentifier: .commonIdentifierTitle)
    let title = try await titles.first?.load(.stringValue)
    result.append(
      Chapter(
        title: title ?? "Chapter \(result.count + 1)", start: group.timeRange.start.seconds,
        duration: group.timeRange.duration.seconds))
  }
  return result
}

/// An audio and subtitle menu.
@MainActor
final class LanguageMenu {
  private let item: AVPlayerItem
  private(set) var audio: AVMediaSelectionGroup?
  private(set) var subtitles: AVMediaSelectionGroup?

  init(item: AVPlayerItem) { self.item = item }

  func load() async throws {
    let asset = item.asset
    audio = try await asset.loadMediaSelectionGroup(for: .audible)
    subtitles = try await asset.loadMediaSelectionGroup(for: .legible)
  }

  var audioNames: [String] { audio?.options.map { $0.displayName } ?? [] }

  var selectedAudio: String? {
    audio.flatMap { item.currentMediaSelection.selectedMediaOption(in: $0)?.extendedLanguageTag }
  }

  var selectedSubtitles: String? {
    subtitles.flatMap { item.currentMediaSelection.selectedMediaOption(in: $0)?.extendedLanguageTag }
  }

  func selectAudio(_ language: String) {
    guard let audio else { return }
    let options = AVMediaSelectionGroup.mediaSelectionOptions(
      from: audio.options, with: Locale(identifier: language))
    if let option = options.first { item.select(option, in: audio) }
  }

  func selectSubtitles(_ language: String?) {
    guard let subtitles else { return }
    let option = subtitles.options.first { $0.extendedLanguageTag == language }
    item.select(option, in: subtitles)
  }
}
