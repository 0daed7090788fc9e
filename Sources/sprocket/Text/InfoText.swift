import AVFoundation
import MediaDiagnosis

/// A media report as text for people.
enum InfoText {
  static func text(_ report: MediaReport) -> String {
    var out = "\(StatusLine.printable(report.address))\n"
    func row(_ name: String, _ value: String) {
      out += "  \(name)\(String(repeating: " ", count: max(12 - name.count, 1)))\(StatusLine.printable(value))\n"
    }
    row("container", report.container + (report.isFragmented ? ", in fragments" : ""))
    row("duration", duration(report))
    if let bytes = report.bytes { row("size", "\(bytes) bytes") }
    if let rate = report.bitRate { row("bit rate", bitRate(rate)) }
    if report.isCutShort { row("cut short", "yes: its header speaks of more than the file has. Fetch it again.") }
    if report.isProtected { row("protected", "yes: it can't be played here") }
    if !report.isSeekable { row("seeking", "not possible") }
    for track in report.tracks { row("\(track.kind) \(track.id)", text(track)) }
    for cover in report.covers { row("cover", "\(cover.type), \(cover.bytes) bytes") }
    for (index, chapter) in report.chapters.enumerated() {
      row("chapter \(index + 1)", "\(time(chapter.start))  \(chapter.title ?? "")")
    }
    for tag in report.tags {
      row("tag", "\(tag.name.isEmpty ? tag.key : tag.name) = \(tag.value)")
    }
    return out
  }

  private static func duration(_ report: MediaReport) -> String {
    guard let duration = report.duration else { return "unknown" }
    return time(duration) + (report.isDurationExact ? "" : " (estimated)")
  }

  /// Kinds that are decoded for playing; others need no decoder.
  private static let decoded: Set = ["video", "audio", "subtitle", "closedCaption"]

  private static func text(_ track: TrackReport) -> String {
    var parts = [track.codec + (track.profile.map { " (\($0))" } ?? "")]
    if let video = track.video { parts += describe(video) }
    if let audio = track.audio { parts += describe(audio) }
    if let rate = track.bitRate { parts.append(bitRate(rate)) }
    if let language = track.language { parts.append(language) }
    if let title = track.title { parts.append("“\(title)”") }
    parts += track.characteristics
    if !track.isEnabled { parts.append("off by default") }
    if !track.isDecodable, Self.decoded.contains(track.kind) { parts.append("can't be decoded here") }
    return parts.joined(separator: ", ")
  }

  private static func describe(_ video: VideoReport) -> [String] {
    var parts = ["\(video.width)×\(video.height)"]
    if video.shownWidth != video.width || video.shownHeight != video.height {
      parts.append("shown \(video.shownWidth)×\(video.shownHeight)")
    }
    if let aspect = video.pixelAspect { parts.append("pixels \(aspect)") }
    if video.rotation != 0 { parts.append("turned \(video.rotation)°") }
    if video.isMirrored { parts.append("mirrored") }
    if let rate = video.frameRate { parts.append("\(rate == rate.rounded() ? String(Int(rate)) : String(rate)) fps") }
    if video.bitDepth != 8 { parts.append("\(video.bitDepth)-bit") }
    let color = [video.primaries, video.transfer, video.matrix].compactMap { $0 }
    if !color.isEmpty { parts.append(Set(color).count == 1 ? color[0] : color.joined(separator: "/")) }
    if video.range == "full" { parts.append("full range") }
    if video.dynamicRange != "SDR" { parts.append("HDR \(video.dynamicRange)") }
    return parts
  }

  private static func describe(_ audio: AudioReport) -> [String] {
    ["\(audio.sampleRate) Hz", audio.layout] + (audio.bitDepth.map { ["\($0)-bit"] } ?? [])
  }

  static func bitRate(_ bits: Int64) -> String {
    let bits = Double(bits)
    return bits >= 1_000_000
      ? "\((bits / 100_000).rounded() / 10) Mbit/s" : String(format: "%.0f kbit/s", (bits / 1_000).rounded())
  }

  private static func time(_ seconds: Double) -> String {
    TimeText.text(CMTime(seconds: seconds, preferredTimescale: 1_000_000), showsTenths: true)
  }
}
