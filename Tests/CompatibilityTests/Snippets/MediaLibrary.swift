import AVFoundation

/// What a library shows of a file: title, artist, cover, length, size.
struct MediaInfo: Sendable {
  var title: String?
  var artist: String?
  var album: String?
  var artwork: Data?
  var duration: TimeInterval = 0
  var size = CGSize.zero
  var frameRate: Float = 0
  var isPortrait = false
  var codec: String?
}

/// Reads it the way of today.
func loadInfo(_ url: URL) async throws -> MediaInfo {
  let asset = AVURLAsset(url: url)
  var info = MediaInfo()
  let (metadata, duration) = try await asset.load(.commonMetadata, .duration)
  info.duration = CMTimeGetSeconds(duration)
  for item in metadata {
    guard let key = item.commonKey else { continue }
    switch key {
    case .commonKeyTitle: info.title = try await item.load(.stringValue)
    case .commonKeyArtist: info.artist = try await item.load(.stringValue)
    case .commonKeyAlbumName: info.album = try await item.load(.stringValue)
    case .commonKeyArtwork: info.artwork = try await item.load(.dataValue)
    default: break
    }
  }
  if let track = try await asset.loadTracks(withMediaType: .video).first {
    let (size, transform, rate, formats) = try await track.load(
      .naturalSize, .preferredTransform, .nominalFrameRate, .formatDescriptions)
    let turned = size.applying(transform)
    info.size = CGSize(width: abs(turned.width), height: abs(turned.height))
    info.isPortrait = info.size.height > info.size.width
    info.frameRate = rate
    info.codec = formats.first.map { CMFormatDescriptionGetMediaSubType($0).fourCharacters }
  }
  return info
}

/// Reads it the way of ten years ago: keys first, then the synchronous getters.
func loadInfoTheOldWay(_ url: URL, completion: @escaping @Sendable (MediaInfo?, NSError?) -> Void) {
  let asset = AVURLAsset(url: url, options: nil)
  asset.loadValuesAsynchronously(forKeys: ["tracks", "duration", "commonMetadata"]) {
    var error: NSError?
    guard asset.statusOfValue(forKey: "tracks", error: &error) == .loaded else { return completion(nil, error) }
    var info = MediaInfo()
    info.duration = asset.duration.seconds
    info.title =
      AVMetadataItem.metadataItems(from: asset.commonMetadata, withKey: AVMetadataKey.commonKeyTitle, keySpace: .common)
      .first?.stringValue
    if let track = asset.tracks(withMediaType: AVMediaType.video).first {
      info.size = track.naturalSize
      info.frameRate = track.nominalFrameRate
    }
    completion(info, nil)
  }
}

extension FourCharCode {
  fileprivate var fourCharacters: String {
    String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }, as: UTF8.self)
  }
}
