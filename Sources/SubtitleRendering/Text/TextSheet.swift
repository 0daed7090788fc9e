import Foundation
import MediaEngine

/// The styles in which libass draws text that comes without any, and their codes. Pure.
enum TextSheet {
  static let text = "Text"
  static let box = "Box"

  static func header(_ appearance: SubtitleAppearance, _ metrics: TextMetrics, width: Int, height: Int) -> String {
    let family = family(appearance.fontFamily) ?? "sans-serif"
    let bold = appearance.isBold ? "-1" : "0"
    let common = "\(family),\(number(metrics.size)),\(full(appearance.color)),&H00FFFFFF"
    return """
      [Script Info]
      ScriptType: v4.00+
      PlayResX: \(width)
      PlayResY: \(height)
      WrapStyle: 0
      ScaledBorderAndShadow: yes
      Kerning: yes
      YCbCr Matrix: None

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
      StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
      Style: \(text),\(common),\(full(appearance.outlineColor)),\(full(appearance.shadowColor)),\(bold),0,0,0,100,100,0,0,1,\
      \(number(metrics.outline)),\(number(metrics.shadow)),7,0,0,0,-1
      Style: \(box),\(common),&H00000000,&H00000000,\(bold),0,0,0,100,100,0,0,3,\(metrics.padding),0,7,0,0,0,-1

      """
  }

  /// `&HAABBGGRR`, with alpha the other way round.
  static func full(_ color: SubtitleColor) -> String {
    "&H" + hex(255 - color.alpha) + hex(color.blue) + hex(color.green) + hex(color.red)
  }

  /// `&HBBGGRR&`.
  static func plain(_ color: SubtitleColor) -> String {
    "&H" + hex(color.blue) + hex(color.green) + hex(color.red) + "&"
  }

  /// `&HAA&`, 0 being opaque.
  static func transparency(of alpha: UInt8) -> String { "&H" + hex(255 - alpha) + "&" }

  private static func hex(_ value: UInt8) -> String {
    (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true)
  }

  /// At most two digits behind the point, never in another notation.
  static func number(_ value: Double) -> String {
    let hundredths = Int((min(max(value, -1e6), 1e6) * 100).rounded())
    let (whole, part) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    return (hundredths < 0 ? "-" : "") + "\(whole)." + (part < 10 ? "0" : "") + "\(part)"
  }

  /// A name without what would end it; nil when nothing is left.
  static func family(_ name: String) -> String? {
    let kept = String.UnicodeScalarView(
      name.unicodeScalars.filter { !"\\{}(),@&".unicodeScalars.contains($0) && $0.value >= 32 }.prefix(64))
    let family = String(kept).trimmingCharacters(in: .whitespaces)
    return family.isEmpty ? nil : family
  }
}
