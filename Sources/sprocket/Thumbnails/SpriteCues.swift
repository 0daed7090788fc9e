import AVFoundation
import Foundation

/// A WebVTT file that tells web players which part of which sprite sheet belongs to which time, by media fragments
/// (`#xywh`, W3C Media Fragments 4.2.2). Pure.
struct SpriteCues {
  private var text = "WEBVTT\n"

  /// - Parameter file: the sheet's path relative to the WebVTT file.
  mutating func add(_ shot: ThumbnailPlan.Shot, file: String, x: Int, y: Int, width: Int, height: Int) {
    let name = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file
    text += "\n\(Self.stamp(shot.start)) --> \(Self.stamp(shot.end))\n\(name)#xywh=\(x),\(y),\(width),\(height)\n"
  }

  var data: Data { Data(text.utf8) }

  /// `HH:MM:SS.mmm`.
  static func stamp(_ time: CMTime) -> String {
    let milliseconds = max(time.convertScale(1_000, method: .roundHalfAwayFromZero).value, 0)
    func digits(_ value: Int64, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(width - text.count, 0)) + text
    }
    let seconds = milliseconds / 1_000
    return "\(digits(seconds / 3_600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
      + ".\(digits(milliseconds % 1_000, 3))"
  }
}
