/// Whether a name's extension fits the container.
enum NameCheck {
  /// Extensions by FFmpeg's name of the container; those of one line are taken for one another by every player.
  private static let families: [(containers: Set<String>, extensions: [String])] = [
    (
      ["mov"],
      [
        "mp4", "m4a", "m4v", "m4b", "m4p", "m4r", "mov", "qt", "3gp", "3g2", "mj2", "f4v", "f4a", "ismv", "isma",
        "cmfv",
        "cmfa", "m4s", "aax",
      ]
    ),
    (["matroska"], ["mkv", "mka", "mks", "mk3d", "webm", "weba"]),
    (["mp3", "mp2"], ["mp3", "mp2", "mp1", "mpa", "mpga", "m2a"]),
    (["aac", "loas", "latm"], ["aac", "adts", "loas", "latm"]),
    (["flac"], ["flac"]), (["wav", "w64"], ["wav", "wave", "bwf", "rf64", "w64"]),
    (["ogg"], ["ogg", "oga", "ogv", "ogx", "opus", "spx"]), (["avi"], ["avi", "divx"]),
    (["asf"], ["asf", "wma", "wmv"]), (["flv", "live_flv"], ["flv"]),
    (["mpegts"], ["ts", "m2ts", "mts", "m2t", "trp"]), (["mpeg", "mpegvideo"], ["mpg", "mpeg", "vob", "m2p"]),
    (["aiff"], ["aif", "aiff", "aifc"]), (["au"], ["au", "snd"]), (["caf"], ["caf"]), (["rm"], ["rm", "rmvb", "ra"]),
    (["ac3", "eac3"], ["ac3", "eac3", "ec3"]), (["ape"], ["ape"]), (["wv"], ["wv"]), (["tta"], ["tta"]),
    (["amr", "amrnb", "amrwb"], ["amr", "awb"]),
  ]

  /// - Parameter container: FFmpeg's name, which may be several with commas between them.
  static func finding(pathExtension: String?, container: String) -> Finding? {
    let names = Set(container.split(separator: ",").map(String.init))
    guard let given = pathExtension, let right = families.first(where: { !$0.containers.isDisjoint(with: names) }),
      !right.extensions.contains(given), families.contains(where: { $0.extensions.contains(given) })
    else { return nil }
    let better = right.extensions.first ?? given
    return Finding(
      .wrongExtension, "The name ends in .\(given), but the content is \(article(better)).",
      remedy: "Rename the file so that it ends in .\(better): some players and all servers go by the name.",
      ["extension": Evidence(given), "container": Evidence(container), "better": Evidence(better)])
  }

  private static func article(_ name: String) -> String {
    let isVowel = ["a", "f", "m"].contains(String(name.prefix(1)))
    return (isVowel ? "an " : "a ") + name.uppercased() + " file"
  }

  /// Extensions of films: a file of that name is meant to have a picture.
  static let films: Set = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "divx", "wmv", "flv", "mpg", "mpeg", "vob", "ts", "m2ts", "mts", "ogv",
    "3gp",
    "3g2",
  ]
}
