/// What stands behind a cue's times and in the blocks of regions (W3C WebVTT, “parse the WebVTT cue settings” and
/// “collect WebVTT region settings”). A setting that is not understood is left out, the others hold.
package enum WebVTTSettings {
  package static func placement(_ text: some StringProtocol, regions: [CueRegion]) -> CuePlacement {
    var placement = CuePlacement()
    for (name, value) in settings(text, ":") {
      switch name {
      case "region": placement.region = regions.last { $0.identifier == value }
      case "vertical":
        switch value {
        case "rl": placement.direction = .verticalGrowingLeft
        case "lr": placement.direction = .verticalGrowingRight
        default: break
        }
      case "line": setLine(value, &placement)
      case "position": setPosition(value, &placement)
      case "size": if let size = percentage(value) { placement.size = size }
      case "align": if let alignment = textAlignment(value) { placement.textAlignment = alignment }
      default: break
      }
    }
    if placement.line != .automatic || placement.size != 100 || placement.direction != .horizontal {
      placement.region = nil
    }
    return placement
  }

  /// - Parameter separator: a colon; an equals sign in headers of the drafts before 2015.
  static func region(_ text: some StringProtocol, separator: Character = ":") -> CueRegion {
    var region = CueRegion()
    for (name, value) in settings(text, separator) {
      switch name {
      case "id": if !value.holdsArrow() { region.identifier = String(value) }
      case "width": if let width = percentage(value) { region.width = width }
      case "lines":
        if value.unicodeScalars.allSatisfy(\.isASCIIDigit) {
          // Lines beyond any picture's are as good as very many.
          region.lines = Int(value).map { min($0, 1_000_000) } ?? 1_000_000
        }
      case "regionanchor": if let point = point(value) { (region.anchorX, region.anchorY) = point }
      case "viewportanchor":
        if let point = point(value) { (region.viewportAnchorX, region.viewportAnchorY) = point }
      case "scroll": if value == "up" { region.scrollsUp = true }
      default: break
      }
    }
    return region
  }

  private static func settings(_ text: some StringProtocol, _ separator: Character) -> [(Substring, Substring)] {
    let limited = text.limited(to: SubtitleLimits.settingsLine)
    return limited.unicodeScalars.split(whereSeparator: \.isSubtitleSpace).compactMap { word in
      let word = Substring(word)
      guard let middle = word.firstIndex(of: separator) else { return nil }
      let (name, value) = (word[..<middle], word[word.index(after: middle)...])
      return name.isEmpty || value.isEmpty ? nil : (name, value)
    }
  }

  private static func setLine(_ value: Substring, _ placement: inout CuePlacement) {
    let (number, alignmentName) = parts(value)
    var alignment: CuePlacement.LineAlignment?
    switch alignmentName {
    case nil: break
    case "start": alignment = .start
    // The drafts before 2015 called it the middle.
    case "center", "middle": alignment = .center
    case "end": alignment = .end
    default: return
    }
    if number.hasSuffix("%") {
      guard let percent = percentage(number) else { return }
      placement.line = .percent(percent)
    } else {
      guard let line = decimal(number) else { return }
      placement.line = .number(line)
    }
    if let alignment { placement.lineAlignment = alignment }
  }

  private static func setPosition(_ value: Substring, _ placement: inout CuePlacement) {
    let (number, alignmentName) = parts(value)
    var alignment: CuePlacement.PositionAlignment?
    switch alignmentName {
    case nil: break
    case "line-left", "start": alignment = .lineLeft
    case "center", "middle": alignment = .center
    case "line-right", "end": alignment = .lineRight
    default: return
    }
    guard let percent = percentage(number) else { return }
    placement.position = percent
    if let alignment { placement.positionAlignment = alignment }
  }

  private static func textAlignment(_ name: Substring) -> CuePlacement.TextAlignment? {
    switch name {
    case "start": .start
    case "center", "middle": .center
    case "end": .end
    case "left": .left
    case "right": .right
    default: nil
    }
  }

  private static func parts(_ value: Substring) -> (Substring, Substring?) {
    guard let comma = value.firstIndex(of: ",") else { return (value, nil) }
    return (value[..<comma], value[value.index(after: comma)...])
  }

  private static func point(_ value: Substring) -> (Double, Double)? {
    let (x, y) = parts(value)
    guard let x = percentage(x), let y = y.flatMap({ percentage($0) }) else { return nil }
    return (x, y)
  }

  /// W3C WebVTT, “parse a percentage string”.
  private static func percentage(_ text: Substring) -> Double? {
    guard text.hasSuffix("%"), text.first != "-", let number = decimal(text.dropLast()), number <= 100 else {
      return nil
    }
    return number
  }

  /// Digits with a point between them at most, perhaps a minus before them.
  private static func decimal(_ text: Substring) -> Double? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard 1...2 ~= parts.count, text.utf8.count <= 64,
      parts.allSatisfy({ !$0.isEmpty && $0.unicodeScalars.allSatisfy(\.isASCIIDigit) })
    else { return nil }
    return Double(text)
  }
}
