import AVFoundation
import Glibc
import VideoOutput

/// What `sprocket play` was asked for.
struct PlayOptions: Equatable {
  enum SoundOutput: Equatable {
    case device
    case null
    case wav(String)
  }

  /// How the program shows what happens.
  enum Report: Equatable {
    /// Picture and status line if standard output is a terminal, lines else.
    case automatic
    case json
  }

  var addresses: [String] = []
  var start: CMTime?
  /// How often each file is played; nil is for ever.
  var repetitions: Int? = 1
  var showsVideo = true
  /// Nil: what `SPROCKET_AUDIO` says, or the device.
  var output: SoundOutput?
  var report = Report.automatic
  var volume: Float = 1
  var isMuted = false
  /// Nil: whatever the terminal has.
  var picture: TerminalPictureStyle?
  var subtitles = SubtitleOptions()

  static let specs: [OptionSpec] =
    [
      OptionSpec("start", letter: "s", value: "TIME", "begin at TIME: 90, 1:30, 1:02:03.5"),
      OptionSpec(
        "loop", letter: "l", value: "N", isValueOptional: true, "play again for ever, or N times in all (--loop=N)"),
      OptionSpec("volume", value: "PERCENT", "0 to 100; 100 is the media's own level"),
      OptionSpec("mute", letter: "m", "begin without sound"),
      OptionSpec("audio-only", letter: "a", "play the sound alone, without the picture"),
      OptionSpec("no-video", "the same as --audio-only"),
      OptionSpec("picture", value: "KIND", "how a terminal shows the picture: blocks, sixel, kitty or none"),
    ] + SubtitleOptions.specs + [
      OptionSpec("output", letter: "o", value: "WHERE", "where the sound goes: device, null or wav:FILE"),
      OptionSpec("json", "one JSON object a line for every event; no picture"),
    ]

  init() {}

  init(_ parsed: ParsedArguments) throws(UsageError) {
    addresses = parsed.positionals
    if let text = parsed.value("start") {
      guard let time = TimeText.parse(text) else {
        throw UsageError("--start \(text) is no time. Write seconds or hours:minutes:seconds, such as 1:02:03.5.")
      }
      start = time
    }
    if let text = parsed.value("loop") {
      if text.isEmpty {
        if let count = addresses.first(where: { Int($0) != nil && access($0, F_OK) != 0 }) {
          throw UsageError("\(count) is no file. If it is how often to play, write --loop=\(count).")
        }
        repetitions = nil
      } else {
        guard let count = Int(text), (1...1_000_000).contains(count) else {
          throw UsageError("--loop=\(text) is no count. Write --loop for ever, or --loop=3.")
        }
        repetitions = count
      }
    }
    if let text = parsed.value("volume") {
      guard let percent = Float(text), percent.isFinite, (0...100).contains(percent) else {
        throw UsageError("--volume \(text) is not between 0 and 100.")
      }
      volume = percent / 100
    }
    isMuted = parsed.has("mute")
    subtitles = try SubtitleOptions(parsed)
    showsVideo = !parsed.has("audio-only") && !parsed.has("no-video")
    if parsed.has("json") { report = .json }
    if let text = parsed.value("picture") {
      guard let style = TerminalPictureStyle(rawValue: text) else {
        throw UsageError("--picture \(text) is unknown. Choose blocks, sixel, kitty or none.")
      }
      picture = style
    }
    if let text = parsed.value("output") {
      guard let output = SoundOutput(text) else {
        throw UsageError("--output \(text) is unknown. Choose device, null or wav:FILE.")
      }
      self.output = output
    }
  }
}

extension PlayOptions.SoundOutput {
  /// From an option's value; nil for what is unknown.
  init?(_ text: String) {
    switch text {
    case "device": self = .device
    case "null": self = .null
    default:
      guard text.hasPrefix("wav:"), text.count > 4 else { return nil }
      self = .wav(String(text.dropFirst(4)))
    }
  }

  /// What `SPROCKET_AUDIO` asks for; the device when it is not set.
  init(environment text: String?) throws(UsageError) {
    guard let text, !text.isEmpty, text != "server" else {
      self = .device
      return
    }
    guard text != "device", let output = Self(text) else {
      throw UsageError("SPROCKET_AUDIO is \(text), which is unknown. Set it to server, null or wav:FILE.")
    }
    self = output
  }
}
