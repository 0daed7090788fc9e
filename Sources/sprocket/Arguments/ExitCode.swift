/// The program's exit codes, for scripts; the manual page lists them.
enum ExitCode: Int32, CaseIterable {
  case success = 0
  case playbackFailed = 1
  case usage = 2
  case sourceUnavailable = 3
  case notMedia = 4
  case outputFailed = 5
  case interrupted = 130

  var meaning: String {
    switch self {
    case .success: "all was played, told or made; doctor: nothing is wrong"
    case .playbackFailed:
      "something could not be played to its end, ends too early, or lacks a picture or subtitles; doctor: warnings"
    case .usage: "the command line is wrong"
    case .sourceUnavailable: "a file or address is missing, empty or unreadable, or its kind is not supported"
    case .notMedia: "not media, damaged, protected, or nothing in it can be decoded here; doctor: faults"
    case .outputFailed: "the sound or file output does not work"
    case .interrupted: "stopped by a signal"
    }
  }

  /// For several files the first failure that is not a success tells.
  func combined(with later: ExitCode) -> ExitCode {
    self == .success ? later : self
  }
}
