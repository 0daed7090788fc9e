import MediaEngine

extension TrackKind {
  var mediaType: AVMediaType {
    switch self {
    case .video: .video
    case .audio: .audio
    case .subtitle: .subtitle
    case .closedCaption: .closedCaption
    case .text: .text
    case .timecode: .timecode
    case .metadata: .metadata
    }
  }
}

extension MediaTrack {
  /// Apple's characteristics of the track.
  var mediaCharacteristics: [AVMediaCharacteristic] {
    var found: [AVMediaCharacteristic] = []
    switch kind {
    case .video:
      found += [.visual, .frameBased]
      if let color = video?.color {
        if [16, 18].contains(color.transfer) { found.append(.containsHDRVideo) }
        if [9, 11, 12].contains(color.primaries) { found.append(.usesWideGamutColorSpace) }
      }
    case .audio: found.append(.audible)
    case .subtitle, .closedCaption: found.append(.legible)
    case .text, .timecode, .metadata: break
    }
    let roles = characteristics
    if roles.contains(.original) { found.append(.isOriginalContent) }
    if roles.contains(.dubbed) { found += [.languageTranslation, .dubbedTranslation] }
    if roles.contains(.forced) { found.append(.containsOnlyForcedSubtitles) }
    if !roles.isDisjoint(with: [.hearingImpaired, .captions]), kind != .audio {
      found += [.transcribesSpokenDialogForAccessibility, .describesMusicAndSoundForAccessibility]
    }
    if kind == .audio, roles.contains(.visualImpaired) || roles.contains(.descriptions) {
      found.append(.describesVideoForAccessibility)
    }
    let isAuxiliary = !roles.isDisjoint(with: [
      .comment, .karaoke, .cleanEffects, .lyrics, .visualImpaired, .descriptions,
    ])
    found.append(isAuxiliary ? .isAuxiliaryContent : .isMainProgramContent)
    return found
  }
}
