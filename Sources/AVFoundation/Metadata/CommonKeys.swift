import Foundation
import MediaEngine

/// The meaning of a container's key in the common vocabulary.
enum CommonKeys {
  /// By identifier: what Apple's key spaces say.
  static func commonKey(of identifier: AVMetadataIdentifier) -> AVMetadataKey? {
    if let known = byIdentifier[identifier] { return known }
    guard AVMetadataItem.keySpace(forIdentifier: identifier) == .common,
      let key = AVMetadataItem.key(forIdentifier: identifier) as? NSString
    else { return nil }
    return AVMetadataKey(key as String)
  }

  /// By the generic name that demuxers give: what Vorbis comments, Matroska and the rest say.
  static func commonKey(genericKey: String) -> AVMetadataKey? { byGenericKey[genericKey] }

  private static let byIdentifier: [AVMetadataIdentifier: AVMetadataKey] = [
    .iTunesMetadataSongName: .commonKeyTitle, .iTunesMetadataArtist: .commonKeyArtist,
    .iTunesMetadataAlbum: .commonKeyAlbumName, .iTunesMetadataCoverArt: .commonKeyArtwork,
    .iTunesMetadataReleaseDate: .commonKeyCreationDate, .iTunesMetadataUserGenre: .commonKeyType,
    .iTunesMetadataPredefinedGenre: .commonKeyType, .iTunesMetadataComposer: .commonKeyCreator,
    .iTunesMetadataCopyright: .commonKeyCopyrights, .iTunesMetadataEncodingTool: .commonKeySoftware,
    .iTunesMetadataDescription: .commonKeyDescription, .iTunesMetadataPublisher: .commonKeyPublisher,
    .iTunesMetadataAuthor: .commonKeyAuthor,
    .id3MetadataTitleDescription: .commonKeyTitle, .id3MetadataLeadPerformer: .commonKeyArtist,
    .id3MetadataAlbumTitle: .commonKeyAlbumName, .id3MetadataAttachedPicture: .commonKeyArtwork,
    .id3MetadataRecordingTime: .commonKeyCreationDate, .id3MetadataYear: .commonKeyCreationDate,
    .id3MetadataContentType: .commonKeyType, .id3MetadataComposer: .commonKeyCreator,
    .id3MetadataCopyright: .commonKeyCopyrights, .id3MetadataPublisher: .commonKeyPublisher,
    .id3MetadataLanguage: .commonKeyLanguage, .id3MetadataEncodedWith: .commonKeySoftware,
    .quickTimeMetadataTitle: .commonKeyTitle, .quickTimeMetadataDisplayName: .commonKeyTitle,
    .quickTimeMetadataArtist: .commonKeyArtist, .quickTimeMetadataAlbum: .commonKeyAlbumName,
    .quickTimeMetadataArtwork: .commonKeyArtwork, .quickTimeMetadataCreationDate: .commonKeyCreationDate,
    .quickTimeMetadataDescription: .commonKeyDescription, .quickTimeMetadataAuthor: .commonKeyAuthor,
    .quickTimeMetadataCopyright: .commonKeyCopyrights, .quickTimeMetadataPublisher: .commonKeyPublisher,
    .quickTimeMetadataSoftware: .commonKeySoftware, .quickTimeMetadataMake: .commonKeyMake,
    .quickTimeMetadataModel: .commonKeyModel, .quickTimeMetadataLocationISO6709: .commonKeyLocation,
    .quickTimeMetadataGenre: .commonKeyType, .quickTimeMetadataComposer: .commonKeyCreator,
    .quickTimeMetadataContentIdentifier: .commonKeyIdentifier,
    .quickTimeUserDataFullName: .commonKeyTitle, .quickTimeUserDataTrackName: .commonKeyTitle,
    .quickTimeUserDataArtist: .commonKeyArtist, .quickTimeUserDataAlbum: .commonKeyAlbumName,
    .quickTimeUserDataAuthor: .commonKeyAuthor, .quickTimeUserDataCopyright: .commonKeyCopyrights,
    .quickTimeUserDataCreationDate: .commonKeyCreationDate, .quickTimeUserDataDescription: .commonKeyDescription,
    .quickTimeUserDataGenre: .commonKeyType, .quickTimeUserDataMake: .commonKeyMake,
    .quickTimeUserDataModel: .commonKeyModel, .quickTimeUserDataSoftware: .commonKeySoftware,
    .quickTimeUserDataPublisher: .commonKeyPublisher, .quickTimeUserDataLocationISO6709: .commonKeyLocation,
    .quickTimeUserDataComposer: .commonKeyCreator,
    .isoUserDataTitle: .commonKeyTitle, .isoUserDataPerformer: .commonKeyArtist, .isoUserDataAlbum: .commonKeyAlbumName,
    .isoUserDataAuthor: .commonKeyAuthor, .isoUserDataCopyright: .commonKeyCopyrights,
    .isoUserDataDescription: .commonKeyDescription, .isoUserDataGenre: .commonKeyType,
    .isoUserDataLocation: .commonKeyLocation, .isoUserDataDate: .commonKeyCreationDate,
    .icyMetadataStreamTitle: .commonKeyTitle,
  ]

  private static let byGenericKey: [String: AVMetadataKey] = [
    "title": .commonKeyTitle, "artist": .commonKeyArtist, "album": .commonKeyAlbumName, "date": .commonKeyCreationDate,
    "year": .commonKeyCreationDate, "creation_time": .commonKeyCreationDate, "genre": .commonKeyType,
    "composer": .commonKeyCreator, "copyright": .commonKeyCopyrights, "description": .commonKeyDescription,
    "publisher": .commonKeyPublisher, "encoder": .commonKeySoftware, "language": .commonKeyLanguage,
    "author": .commonKeyAuthor, "location": .commonKeyLocation, "make": .commonKeyMake, "model": .commonKeyModel,
    "subject": .commonKeySubject, "identifier": .commonKeyIdentifier,
  ]
}

extension AVMetadataItem {
  /// A container's tag.
  convenience init(_ entry: MetadataEntry) {
    let space = AVMetadataKeySpace(entry.keySpace)
    let identifier = AVMetadataItem.identifier(forKey: entry.key, keySpace: space)
    let language = entry.languageCode.map { LanguageTag.extended($0) }
    self.init(
      MetadataContent(
        identifier: identifier, keySpace: space, key: entry.key as NSString, value: entry.value as NSString,
        extendedLanguageTag: language, locale: language.map { Locale(identifier: $0) },
        dataType: "com.apple.metadata.datatype.UTF-8",
        commonKey: identifier.flatMap { CommonKeys.commonKey(of: $0) }
          ?? CommonKeys.commonKey(genericKey: entry.genericKey),
        format: AVMetadataFormat(entry.keySpace)))
  }

  /// A cover picture, under the key that its container has for it.
  convenience init(_ cover: CoverPicture, container: String) {
    let space: MetadataEntry.KeySpace =
      container.contains("mp4") ? .itunes : container.contains("mp3") ? .id3 : .vorbisComment
    let key =
      switch space {
      case .itunes: AVMetadataKey.iTunesMetadataKeyCoverArt.rawValue
      case .id3: AVMetadataKey.id3MetadataKeyAttachedPicture.rawValue
      default: "METADATA_BLOCK_PICTURE"
      }
    let keySpace = AVMetadataKeySpace(space)
    let types = ["image/jpeg": "com.apple.metadata.datatype.JPEG", "image/png": "com.apple.metadata.datatype.PNG"]
    self.init(
      MetadataContent(
        identifier: AVMetadataItem.identifier(forKey: key, keySpace: keySpace), keySpace: keySpace,
        key: key as NSString, value: cover.data as NSData,
        dataType: types[cover.mimeType] ?? "com.apple.metadata.datatype.raw-data",
        extraAttributes: cover.title.map { [.info: $0] }, commonKey: .commonKeyArtwork,
        format: AVMetadataFormat(space)))
  }
}

extension AVMetadataKeySpace {
  /// Apple has no key space for Vorbis comments, Matroska and RIFF; these have ours.
  init(_ space: MetadataEntry.KeySpace) {
    self =
      switch space {
      case .itunes: .iTunes
      case .quickTimeMetadata: .quickTimeMetadata
      case .quickTimeUserData: .quickTimeUserData
      case .isoUserData: .isoUserData
      case .id3: .id3
      case .vorbisComment: AVMetadataKeySpace("vorbis")
      case .matroska: AVMetadataKeySpace("matroska")
      case .riff: AVMetadataKeySpace("riff")
      case .icy: .icy
      case .other: AVMetadataKeySpace("other")
      }
  }
}

extension AVMetadataFormat {
  init(_ space: MetadataEntry.KeySpace) {
    self =
      switch space {
      case .itunes: .iTunesMetadata
      case .quickTimeMetadata: .quickTimeMetadata
      case .quickTimeUserData: .quickTimeUserData
      case .isoUserData: .isoUserData
      case .id3: .id3Metadata
      case .vorbisComment: AVMetadataFormat("org.xiph.vorbis-comment")
      case .matroska: AVMetadataFormat("org.matroska")
      case .riff: AVMetadataFormat("com.microsoft.riff")
      // Apple names no format for them.
      case .icy, .other: .unknown
      }
  }
}
