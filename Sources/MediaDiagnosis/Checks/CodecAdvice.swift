import MediaEngine

/// What helps where a codec can't be decoded: a package, another FFmpeg, or nothing.
///
/// Debian's FFmpeg decodes nearly all that FFmpeg can. `libavcodec-extra` adds encoders only, so it is never the remedy.
enum CodecAdvice {
  /// Codecs that no FFmpeg of this release decodes, by their names and codes: what they are and who can.
  private static let beyond: [(names: Set<String>, title: String, help: String)] = [
    (
      ["vvc", "vvc1", "vvi1"], "VVC (H.266)",
      "Debian 12's FFmpeg 5.1 can't; FFmpeg 7.1 can: take Debian 13's ffmpeg (libavcodec61), or convert the file there."
    ),
    (
      ["evc", "evc1"], "EVC",
      "Debian's FFmpeg can't: it needs FFmpeg 6.1 built with libxevd. Convert the file with such a build."
    ),
    (
      ["avs2"], "AVS2",
      "Debian's FFmpeg is built without libdavs2, so it can't. Convert the file with a build that has it."
    ),
    (
      ["avs3", "av3c"], "AVS3",
      "Debian's FFmpeg is built without libuavs3d, so it can't. Convert the file with a build that has it."
    ),
    (["apv", "apv1"], "APV", "FFmpeg can from version 8.0 on. Convert the file with that."),
    (
      ["mpegh_3d_audio", "mhm1", "mha1", "mhm2", "mha2"], "MPEG-H 3D Audio",
      "FFmpeg can't decode it, in no version. Choose another sound track, or ask for AAC or Opus."
    ),
    (
      ["ac-4", "ac4"], "Dolby AC-4",
      "FFmpeg can't decode it, in no version. Choose another sound track, or ask for AC-3 or AAC."
    ),
    (["lvc1"], "LCEVC", "FFmpeg can't decode the enhancement. Play the base track."),
    (
      ["lc3"], "LC3", "Debian's FFmpeg is built without liblc3, so it can't. Convert the file with a build that has it."
    ),
    (
      ["daala", "4gv", "celt", "smv", "sonicls"], "a codec of the past",
      "FFmpeg can't decode it, in no version. Convert it with the program that made it."
    ),
  ]

  /// What Debian's libavcodec59 decodes, so that another build lacks it by choice.
  private static let debian: Set = [
    "h264", "hevc", "av1", "vp8", "vp9", "mpeg1video", "mpeg2video", "mpeg4", "mjpeg", "prores", "dnxhd", "theora",
    "vc1",
    "wmv3", "aac", "mp3", "mp2", "ac3", "eac3", "dts", "truehd", "flac", "alac", "opus", "vorbis", "amr_nb", "amr_wb",
    "ape",
    "wavpack", "tta", "wmav2", "wmapro", "speex", "gsm",
  ]

  /// The finding for a track without a decoder.
  static func finding(for track: MediaTrack) -> Finding {
    let code = fourCharacters(track.codec.fourCC)
    let isNamed = !["none", "unknown", "unknown_codec"].contains(track.codec.name)
    let keys = Set([track.codec.name, code].compactMap { $0 })
    var evidence: [String: Evidence] = ["codec": Evidence(track.codec.name)]
    if let code { evidence["code"] = Evidence(code) }
    let name = Wording.name(of: track).capitalizedFirst
    if let known = beyond.first(where: { !$0.names.isDisjoint(with: keys) }) {
      return Finding(
        .noDecoder, track: track.id, "\(name) is \(known.title), and there is no decoder for it here.",
        remedy: known.help,
        evidence)
    }
    guard isNamed else {
      let words = code.map { "the code “\($0)”" } ?? "no code"
      return Finding(
        .codecUnknown, track: track.id, "\(name) has \(words), which no codec that FFmpeg knows has.", evidence)
    }
    let remedy =
      debian.contains(track.codec.name)
      ? "Install Debian's libavcodec59, which decodes it: this FFmpeg was built without." : nil
    return Finding(
      .noDecoder, track: track.id, "\(name) is \(track.codec.name), and this FFmpeg has no decoder for it.",
      remedy: remedy,
      evidence)
  }

  private static func fourCharacters(_ code: UInt32) -> String? {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
    guard code != 0, bytes.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
