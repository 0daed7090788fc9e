import CoreGraphics
import Foundation
import MediaEngine

extension MediaDescription {
  /// Something can be seen or heard.
  var isPlayable: Bool {
    !hasProtectedContent && tracks.contains { ($0.kind == .video || $0.kind == .audio) && $0.isDecodable }
  }

  /// Samples can be read for other uses than playing.
  var isReadable: Bool { isPlayable }

  var naturalSize: CGSize { tracks(of: .video).first?.naturalSize ?? .zero }

  /// Tags and cover pictures, in the container's order.
  var metadataItems: [AVMetadataItem] {
    metadata.map { AVMetadataItem($0) } + covers.map { AVMetadataItem($0, container: container) }
  }

  var metadataFormats: [AVMetadataFormat] {
    var formats: [AVMetadataFormat] = []
    for item in metadataItems where !formats.contains(item.format) { formats.append(item.format) }
    return formats
  }

  var creationDateItem: AVMetadataItem? {
    metadataItems.first { $0.commonKey == .commonKeyCreationDate }
  }

  var lyrics: String? {
    metadata.first { $0.genericKey == "lyrics" || $0.genericKey.hasPrefix("lyrics-") }?.value
  }
}
