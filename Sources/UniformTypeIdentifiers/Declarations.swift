/// What is known about a type.
struct Declaration {
  let identifier: String
  /// Direct supertypes.
  let supertypes: [String]
  /// The preferred one first; without a dot, in lower case.
  let filenameExtensions: [String]
  /// The preferred one first, in lower case.
  let mimeTypes: [String]

  init(_ identifier: String, _ supertypes: [String], _ filenameExtensions: [String], _ mimeTypes: [String]) {
    self.identifier = identifier
    self.supertypes = supertypes
    self.filenameExtensions = filenameExtensions
    self.mimeTypes = mimeTypes
  }

  static let byIdentifier = Dictionary(all.map { ($0.identifier, $0) }) { first, _ in first }

  /// All types known. Where several have a tag in common, the first is preferred.
  static let all: [Declaration] = [
    Declaration("public.item", [], [], []),
    Declaration("public.content", [], [], []),
    Declaration("public.composite-content", ["public.content"], [], []),
    Declaration("public.data", ["public.item"], [], ["application/octet-stream"]),
    Declaration("public.directory", ["public.item"], [], []),
    Declaration("public.folder", ["public.directory"], [], []),
    Declaration("public.url", ["public.data"], [], []),
    Declaration("public.file-url", ["public.url"], [], []),
    Declaration("public.text", ["public.data", "public.content"], [], []),
    Declaration("public.plain-text", ["public.text"], ["txt", "text"], ["text/plain"]),
    Declaration("public.utf8-plain-text", ["public.plain-text"], [], ["text/plain;charset=utf-8"]),
    Declaration("public.html", ["public.text"], ["html", "htm", "shtml", "shtm"], ["text/html"]),
    Declaration("public.xml", ["public.text"], ["xml"], ["application/xml", "text/xml"]),
    Declaration("public.json", ["public.text"], ["json"], ["application/json"]),
    Declaration("com.apple.property-list", ["public.data"], ["plist"], []),
    Declaration("com.adobe.pdf", ["public.data", "public.composite-content"], ["pdf"], ["application/pdf"]),
    Declaration("public.archive", ["public.data"], [], []),
    Declaration("public.zip-archive", ["public.archive"], ["zip"], ["application/zip"]),
    Declaration(
      "org.gnu.gnu-zip-archive", ["public.archive"], ["gz", "gzip"], ["application/gzip", "application/x-gzip"]),

    Declaration("public.image", ["public.data", "public.content"], [], []),
    Declaration("public.png", ["public.image"], ["png"], ["image/png"]),
    Declaration("public.jpeg", ["public.image"], ["jpeg", "jpg", "jpe"], ["image/jpeg", "image/jpg"]),
    Declaration("com.compuserve.gif", ["public.image"], ["gif"], ["image/gif"]),
    Declaration("public.tiff", ["public.image"], ["tiff", "tif"], ["image/tiff"]),
    Declaration("com.microsoft.bmp", ["public.image"], ["bmp", "dib"], ["image/bmp"]),
    Declaration("com.microsoft.ico", ["public.image"], ["ico"], ["image/vnd.microsoft.icon"]),
    Declaration("public.heif", ["public.image"], ["heif"], ["image/heif"]),
    Declaration("public.heic", ["public.heif"], ["heic"], ["image/heic"]),
    Declaration("org.webmproject.webp", ["public.image"], ["webp"], ["image/webp"]),
    Declaration("public.svg-image", ["public.image", "public.xml"], ["svg", "svgz"], ["image/svg+xml"]),
    Declaration("public.camera-raw-image", ["public.image"], [], []),
    Declaration("public.avif", ["public.heif"], ["avif"], ["image/avif"]),
    Declaration("public.jpeg-xl", ["public.image"], ["jxl"], ["image/jxl"]),

    Declaration("public.audiovisual-content", ["public.data", "public.content"], [], []),
    Declaration("public.movie", ["public.audiovisual-content"], [], []),
    Declaration("public.video", ["public.movie"], [], []),
    Declaration("public.audio", ["public.audiovisual-content"], [], []),

    Declaration("com.apple.quicktime-movie", ["public.movie"], ["mov", "qt"], ["video/quicktime"]),
    Declaration(
      "public.mpeg", ["public.movie"], ["mpg", "mpeg", "mpe", "m75", "m15"],
      ["video/mpeg", "video/mpg", "video/x-mpeg", "video/x-mpg"]),
    Declaration("public.mpeg-2-video", ["public.video"], ["mpg2", "mp2v", "m2v"], ["video/mpeg2"]),
    Declaration("public.mpeg-2-transport-stream", ["public.movie"], ["ts"], ["video/mp2t"]),
    Declaration("public.mpeg-4", ["public.movie"], ["mp4", "mpg4"], ["video/mp4", "video/mp4v"]),
    Declaration("com.apple.m4v-video", ["public.movie"], ["m4v"], ["video/x-m4v"]),
    Declaration("com.apple.protected-mpeg-4-video", ["com.apple.m4v-video"], ["m4v"], ["video/x-m4v"]),
    Declaration("public.avi", ["public.movie"], ["avi", "vfw"], ["video/avi", "video/msvideo", "video/x-msvideo"]),
    Declaration("public.3gpp", ["public.movie"], ["3gp", "3gpp"], ["video/3gpp", "audio/3gpp"]),
    Declaration("public.3gpp2", ["public.movie"], ["3g2", "3gp2"], ["video/3gpp2", "audio/3gpp2"]),
    Declaration(
      "public.avchd-mpeg-2-transport-stream", ["public.mpeg-2-transport-stream"], ["mts", "m2ts", "m2t"], ["video/mp2t"]
    ),
    Declaration("org.matroska.mkv", ["public.movie"], ["mkv"], ["video/x-matroska", "video/matroska"]),
    Declaration("org.webmproject.webm", ["public.movie"], ["webm"], ["video/webm"]),
    Declaration("com.microsoft.windows-media-wmv", ["public.movie"], ["wmv"], ["video/x-ms-wmv"]),
    Declaration("com.microsoft.advanced-systems-format", ["public.data"], ["asf"], ["video/x-ms-asf"]),
    Declaration("com.adobe.flash.video", ["public.movie"], ["flv"], ["video/x-flv"]),
    Declaration("org.xiph.ogg-video", ["public.movie"], ["ogv"], ["video/ogg"]),
    Declaration("public.dv-movie", ["public.movie"], ["dv", "dif"], ["video/x-dv"]),
    Declaration("com.apple.immersive-video", ["public.movie"], ["aivu"], []),

    Declaration(
      "public.mp3", ["public.audio"], ["mp3", "mpga"],
      [
        "audio/mpeg", "audio/mp3", "audio/mpg", "audio/mpeg3", "audio/x-mpeg", "audio/x-mp3", "audio/x-mpg",
        "audio/x-mpeg3",
      ]),
    Declaration(
      "com.microsoft.waveform-audio", ["public.audio"], ["wav", "wave", "bwf"],
      ["audio/vnd.wave", "audio/wav", "audio/wave", "audio/x-wav"]),
    Declaration("public.aiff-audio", ["public.aifc-audio"], ["aiff", "aif"], ["audio/aiff", "audio/x-aiff"]),
    Declaration("public.midi-audio", ["public.audio"], ["midi", "mid", "smf", "kar"], ["audio/midi", "audio/x-midi"]),
    Declaration("com.apple.m4a-audio", ["public.mpeg-4-audio"], ["m4a"], ["audio/x-m4a", "audio/m4a"]),
    Declaration("public.mpeg-4-audio", ["public.mpeg-4", "public.audio"], ["mp4", "mpg4", "m4a"], ["audio/mp4"]),
    Declaration("com.apple.protected-mpeg-4-audio", ["public.audio"], ["m4p"], ["audio/x-m4p"]),
    Declaration("com.apple.protected-mpeg-4-audio-b", ["com.apple.protected-mpeg-4-audio"], ["m4b"], ["audio/x-m4b"]),
    Declaration("public.aifc-audio", ["public.audio"], ["aifc", "aif"], ["audio/aiff", "audio/x-aiff"]),
    Declaration("public.aac-audio", ["public.audio"], ["aac", "adts"], ["audio/aac", "audio/aacp", "audio/x-aac"]),
    Declaration("public.ac3-audio", ["public.audio"], ["ac3"], ["audio/ac3"]),
    Declaration("public.enhanced-ac3-audio", ["public.audio"], ["eac3", "ec3"], ["audio/eac3"]),
    Declaration("public.mp2", ["public.audio"], ["mp2"], ["audio/mpeg"]),
    Declaration("com.apple.coreaudio-format", ["public.audio"], ["caf"], ["audio/x-caf"]),
    Declaration("org.xiph.flac", ["public.audio"], ["flac"], ["audio/flac", "audio/x-flac"]),
    Declaration("org.xiph.ogg-audio", ["public.audio"], ["ogg", "oga"], ["audio/ogg"]),
    Declaration("org.xiph.opus", ["public.audio"], ["opus"], ["audio/opus"]),
    Declaration("org.matroska.mka", ["public.audio"], ["mka"], ["audio/x-matroska"]),
    Declaration("org.3gpp.adaptive-multi-rate-audio", ["public.audio"], ["amr"], ["audio/amr"]),
    Declaration("public.au-audio", ["public.audio"], ["au", "ulaw", "snd"], ["audio/basic"]),
    Declaration("com.microsoft.windows-media-wma", ["public.audio"], ["wma"], ["audio/x-ms-wma"]),

    Declaration("public.playlist", ["public.content"], [], []),
    Declaration(
      "public.m3u-playlist", ["public.text", "public.playlist"], ["m3u", "m3u8"],
      ["audio/mpegurl", "audio/x-mpegurl", "application/vnd.apple.mpegurl", "application/x-mpegurl"]),
    Declaration("com.apple.mpegurl", ["public.m3u-playlist"], ["m3u8"], ["application/vnd.apple.mpegurl"]),
    Declaration("public.pls-playlist", ["public.text", "public.playlist"], ["pls"], ["audio/x-scpls"]),
    Declaration("org.w3.webvtt", ["public.text"], ["vtt"], ["text/vtt"]),
    Declaration("org.matroska.subrip", ["public.text"], ["srt"], ["application/x-subrip"]),
    Declaration("org.w3.ttml", ["public.xml"], ["ttml", "dfxp"], ["application/ttml+xml"]),
  ]
}
