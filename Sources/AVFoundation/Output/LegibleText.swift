import CoreMedia
import Foundation
import MediaEngine

/// Cues as attributed strings, with Core Media's keys for text markup.
enum LegibleText {
  /// Nil for pictures.
  static func string(
    of cue: SubtitleCue, _ resolution: AVPlayerItemLegibleOutput.TextStylingResolution
  ) -> NSAttributedString? {
    guard let text = cue.text else { return nil }
    let whole = placement(cue.placement)
    let string = NSMutableAttributedString(string: "")
    for run in text.runs {
      var attributes = whole
      look(run.style, into: &attributes)
      if resolution == .default { complete(&attributes) }
      string.append(NSAttributedString(string: run.text, attributes: attributes))
    }
    return string
  }

  private typealias Attributes = [NSAttributedString.Key: Any]

  private static func look(_ style: TextStyle, into attributes: inout Attributes) {
    if style.isBold { attributes[key(kCMTextMarkupAttribute_BoldStyle)] = NSNumber(value: true) }
    if style.isItalic { attributes[key(kCMTextMarkupAttribute_ItalicStyle)] = NSNumber(value: true) }
    if style.isUnderlined { attributes[key(kCMTextMarkupAttribute_UnderlineStyle)] = NSNumber(value: true) }
    if let color = style.color { attributes[key(kCMTextMarkupAttribute_ForegroundColorARGB)] = argb(color) }
    if let color = style.background {
      attributes[key(kCMTextMarkupAttribute_CharacterBackgroundColorARGB)] = argb(color)
    }
    if let family = style.fontFamily { attributes[key(kCMTextMarkupAttribute_FontFamilyName)] = family }
    if let scale = style.scale {
      attributes[key(kCMTextMarkupAttribute_RelativeFontSize)] = NSNumber(value: scale * 100)
    }
  }

  /// What a viewer sees who has set nothing: white on black, a twentieth of the picture's height.
  private static func complete(_ attributes: inout Attributes) {
    func set(_ name: CFString, _ value: Any) {
      if attributes[key(name)] == nil { attributes[key(name)] = value }
    }
    set(kCMTextMarkupAttribute_ForegroundColorARGB, argb(SubtitleColor(red: 255, green: 255, blue: 255)))
    set(kCMTextMarkupAttribute_CharacterBackgroundColorARGB, argb(SubtitleColor(red: 0, green: 0, blue: 0)))
    set(kCMTextMarkupAttribute_BaseFontSizePercentageRelativeToVideoHeight, NSNumber(value: 5))
  }

  private static func placement(_ placement: CuePlacement) -> Attributes {
    var attributes: Attributes = [:]
    let alignment =
      switch placement.textAlignment {
      case .start: kCMTextMarkupAlignmentType_Start
      case .center: kCMTextMarkupAlignmentType_Middle
      case .end: kCMTextMarkupAlignmentType_End
      case .left: kCMTextMarkupAlignmentType_Left
      case .right: kCMTextMarkupAlignmentType_Right
      }
    attributes[key(kCMTextMarkupAttribute_Alignment)] = alignment as String
    switch placement.direction {
    case .horizontal: break
    case .verticalGrowingLeft: attributes[key(kCMTextMarkupAttribute_VerticalLayout)] = "rl"
    case .verticalGrowingRight: attributes[key(kCMTextMarkupAttribute_VerticalLayout)] = "lr"
    }
    if case .percent(let line) = placement.line {
      attributes[key(kCMTextMarkupAttribute_OrthogonalLinePositionPercentageRelativeToWritingDirection)] = NSNumber(
        value: line)
    }
    if let position = placement.position {
      attributes[key(kCMTextMarkupAttribute_TextPositionPercentageRelativeToWritingDirection)] = NSNumber(
        value: position)
    }
    if placement.size != 100 {
      attributes[key(kCMTextMarkupAttribute_WritingDirectionSizePercentage)] = NSNumber(value: placement.size)
    }
    return attributes
  }

  private static func key(_ name: CFString) -> NSAttributedString.Key {
    NSAttributedString.Key(rawValue: name as String)
  }

  /// Alpha, red, green, blue from 0 to 1.
  private static func argb(_ color: SubtitleColor) -> [NSNumber] {
    [color.alpha, color.red, color.green, color.blue].map { NSNumber(value: Double($0) / 255) }
  }
}
