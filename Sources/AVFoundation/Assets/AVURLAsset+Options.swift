/// Exact duration and seeking wanted, at the price of a scan where the container has no index. Bool.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// The media's type, whatever name and server say. String.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"
/// `User-Agent` of the requests. String.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"
/// Cookies of the requests. `[HTTPCookie]`. Not read yet: media over a network is to come.
public let AVURLAssetHTTPCookiesKey = "AVURLAssetHTTPCookiesKey"
/// Bool, true unless given. Not read: nothing is known here of the kind of network.
public let AVURLAssetAllowsCellularAccessKey = "AVURLAssetAllowsCellularAccessKey"
/// Bool, true unless given. Not read: nothing is known here of the kind of network.
public let AVURLAssetAllowsExpensiveNetworkAccessKey = "AVURLAssetAllowsExpensiveNetworkAccessKey"
/// Bool, true unless given. Not read: nothing is known here of the kind of network.
public let AVURLAssetAllowsConstrainedNetworkAccessKey = "AVURLAssetAllowsConstrainedNetworkAccessKey"
/// What media may refer to. Number of an `AVAssetReferenceRestrictions`.
public let AVURLAssetReferenceRestrictionsKey = "AVURLAssetReferenceRestrictionsKey"
/// Sprocket's own: files of subtitles that belong to the media: SubRip, WebVTT, SubStation Alpha. `[URL]`. They are options
/// of the legible group, by the languages and roles that their names end with (`Film.en.forced.srt`), and read when they are
/// chosen. `AVURLAsset.subtitleFiles(besideMediaAt:)` finds them.
public let AVURLAssetSubtitleFilesKey = "AVURLAssetSubtitleFilesKey"
