import CoreMedia
import Foundation

/// Cues of a WebVTT file as the rest of the engine has them: styled by its tags, its usual colour classes and its style
/// sheets.
package struct WebVTTStyling: Sendable {
  private let sheet: WebVTTStyleSheet

  package init(styleSheets: [String] = []) { sheet = WebVTTStyleSheet(styleSheets) }

  package func cue(_ cue: WebVTTDocument.Cue) -> SubtitleCue {
    var result = SubtitleCue(
      start: cue.start, end: max(cue.start, cue.end), content: .text(text(cue.text, identifier: cue.identifier)))
    result.identifier = cue.identifier
    result.placement = cue.placement
    return result
  }

  package func text(_ source: String, identifier: String = "") -> StyledText {
    var text = StyledText()
    var style = TextStyle()
    apply(to: &style, path: [], identifier: identifier)
    var time: CMTime?
    append(WebVTTCueText.parse(source), style, path: [], identifier: identifier, time: &time, to: &text)
    text.trim()
    return text
  }

  /// As deep as `SubtitleLimits.nesting`.
  private func append(
    _ nodes: [WebVTTNode], _ style: TextStyle, path: [WebVTTElement], identifier: String, time: inout CMTime?,
    to text: inout StyledText
  ) {
    for node in nodes {
      switch node {
      case .text(let string):
        var style = style
        style.time = time
        text.append(string, style)
      case .timestamp(let stated): time = stated
      case .element(let element):
        var inner = style
        Self.mark(&inner, element)
        var bare = element
        bare.children = []
        let path = path + [bare]
        apply(to: &inner, path: path, identifier: identifier)
        append(element.children, inner, path: path, identifier: identifier, time: &time, to: &text)
      }
    }
  }

  private static func mark(_ style: inout TextStyle, _ element: WebVTTElement) {
    switch element.kind {
    case .bold: style.isBold = true
    case .italic: style.isItalic = true
    case .underline: style.isUnderlined = true
    case .ruby: style.ruby = .base
    case .rt: style.ruby = .annotation
    case .voice: style.voice = element.annotation
    case .language: style.language = element.annotation
    case .class: break
    }
    // W3C WebVTT, “default CSS classes”.
    for name in element.classes {
      if let color = defaultColors[name] { style.color = SubtitleColor(color) }
      if name.hasPrefix("bg_"), let color = defaultColors[String(name.dropFirst(3))] {
        style.background = SubtitleColor(color)
      }
    }
  }

  private static let defaultColors: [String: UInt32] = [
    "white": 0xFFFFFF, "lime": 0x00FF00, "cyan": 0x00FFFF, "red": 0xFF0000, "yellow": 0xFFFF00, "magenta": 0xFF00FF,
    "blue": 0x0000FF, "black": 0x000000,
  ]

  private func apply(to style: inout TextStyle, path: [WebVTTElement], identifier: String) {
    for rule in sheet.rules where Self.matches(rule.selectors[...], path[...], identifier) {
      for (name, value) in rule.declarations { Self.set(name, value, &style) }
    }
  }

  /// Whether the chain's last link stands for the innermost element, and the others, in order, for some around it.
  private static func matches(
    _ selectors: ArraySlice<WebVTTStyleSheet.Selector>, _ path: ArraySlice<WebVTTElement>, _ identifier: String
  ) -> Bool {
    guard let last = selectors.last else { return path.isEmpty }
    // `#id` alone names the cue.
    if path.isEmpty { return selectors.count == 1 && last.identifier == identifier && isCueOnly(last) }
    guard let innermost = path.last, matches(last, innermost) else { return false }
    var rest = selectors.dropLast()
    for element in path.dropLast().reversed() {
      guard let next = rest.last else { break }
      if matches(next, element) { rest = rest.dropLast() }
    }
    if let first = rest.last, rest.count == 1, first.identifier == identifier, isCueOnly(first) { return true }
    return rest.isEmpty
  }

  private static func isCueOnly(_ selector: WebVTTStyleSheet.Selector) -> Bool {
    selector.identifier != nil && selector.kind == nil && selector.classes.isEmpty && selector.voice == nil
  }

  private static func matches(_ selector: WebVTTStyleSheet.Selector, _ element: WebVTTElement) -> Bool {
    guard selector.identifier == nil, selector.kind == nil || selector.kind == element.kind,
      selector.classes.allSatisfy(element.classes.contains)
    else { return false }
    if let voice = selector.voice, element.kind != .voice || element.annotation != voice { return false }
    if let language = selector.language {
      guard element.kind == .language else { return false }
      let own = element.annotation.lowercased()
      let wanted = language.lowercased()
      guard own == wanted || own.hasPrefix(wanted + "-") else { return false }
    }
    return true
  }

  private static func set(_ name: String, _ value: String, _ style: inout TextStyle) {
    let value = value.replacing("!important", with: "").trimmingCharacters(in: .whitespaces)
    switch name {
    case "color": if let color = SubtitleColor(css: value) { style.color = color }
    case "background", "background-color": if let color = SubtitleColor(css: value) { style.background = color }
    case "font-weight": style.isBold = value == "bold" || value == "bolder" || (Int(value) ?? 0) >= 600
    case "font-style": style.isItalic = value == "italic" || value.hasPrefix("oblique")
    case "text-decoration", "text-decoration-line":
      style.isUnderlined = value.contains("underline")
      style.isStruckThrough = value.contains("line-through")
    case "font-family":
      style.fontFamily = value.split(separator: ",").first.map { $0.trimmingCharacters(in: ["\"", "'", " "]) }
    case "font-size": if let scale = scale(value) { style.scale = scale }
    default: break
    }
  }

  private static func scale(_ value: String) -> Double? {
    for (unit, factor) in [("%", 0.01), ("em", 1.0), ("rem", 1.0)] where value.hasSuffix(unit) {
      guard let number = Double(value.dropLast(unit.count)), number.isFinite else { continue }
      return min(max(number * factor, 0.1), 10)
    }
    return nil
  }
}
