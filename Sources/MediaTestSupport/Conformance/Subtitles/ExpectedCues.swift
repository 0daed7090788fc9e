import CoreMedia
package import Foundation
import MediaEngine

/// Cues as other WebVTT parsers' tests state them: a file `NAME.json` beside `NAME.vtt` with the cues and regions,
/// `NAME-proc.json` with the nodes that the cues' texts become, or a list of node trees in html5lib's notation.
///
/// Their drafts of the standard are older; what was renamed since is taken for the same (`middle` for `center`), and
/// alignments that follow from others are judged as computed by the standard.
package struct ExpectedCues {
  /// Files that one statement is about though it has another name: faulty lines of a folder share one.
  private static func statements(of file: URL) -> [URL] {
    let folder = file.deletingLastPathComponent()
    let name = file.deletingPathExtension().lastPathComponent
    var found = [folder.appendingPathComponent("\(name).json"), folder.appendingPathComponent("\(name)-proc.json")]
    if name != "correct" { found.append(folder.appendingPathComponent("bad-\(folder.lastPathComponent).json")) }
    if folder.lastPathComponent == "lines" { found.append(folder.appendingPathComponent("bad-line.json")) }
    return found
  }

  /// What differs, or nil; `isStated` tells whether anything was stated.
  package static func difference(_ file: URL) throws -> (isStated: Bool, difference: String?) {
    let document = WebVTTDocument(EncodingDetector.decode(Array(try Data(contentsOf: file))).text)
    var isStated = false
    for statement in statements(of: file) where FileManager.default.fileExists(atPath: statement.path) {
      // `correct.json` says what is right of a folder's others.
      if statement.lastPathComponent.hasPrefix("bad-"), !statement.lastPathComponent.hasPrefix(nameOf(file)), isStated {
        continue
      }
      let json = try JSONSerialization.jsonObject(with: Data(contentsOf: statement), options: .fragmentsAllowed)
      if json is NSNull { continue }
      isStated = true
      let found: String?
      if let whole = json as? [String: Any] {
        found = compare(whole, document)
      } else if let list = json as? [[String: Any]] {
        found = list.first?["expectedTree"] != nil ? compareTrees(list, document) : compareNodes(list, document)
      } else {
        found = "the statement is of an unknown form"
      }
      if let found { return (true, "\(statement.lastPathComponent): \(found)") }
    }
    return (isStated, nil)
  }

  private static func nameOf(_ file: URL) -> String { file.deletingPathExtension().lastPathComponent }

  // MARK: Cues and regions

  private static func compare(_ json: [String: Any], _ document: WebVTTDocument?) -> String? {
    let wanted = json["cues"] as? [[String: Any]] ?? []
    let cues = document?.cues ?? []
    guard cues.count == wanted.count else { return "\(cues.count) of \(wanted.count) cues" }
    for (index, (cue, wanted)) in zip(cues, wanted).enumerated() {
      let own = fields(cue)
      for (key, value) in wanted.sorted(by: { $0.key < $1.key }) {
        // No setting of WebVTT: a property that scripts set.
        if key == "pauseOnExit" { continue }
        if let difference = differs(own[key], value) { return "cue \(index): \(key) \(difference)" }
      }
    }
    let regions = document?.regions ?? []
    let wantedRegions = json["regions"] as? [[String: Any]] ?? []
    guard regions.count == wantedRegions.count else { return "\(regions.count) of \(wantedRegions.count) regions" }
    for (index, (region, wanted)) in zip(regions, wantedRegions).enumerated() {
      let own = fields(region)
      for (key, value) in wanted.sorted(by: { $0.key < $1.key }) {
        if let difference = differs(own[key], value) { return "region \(index): \(key) \(difference)" }
      }
    }
    return nil
  }

  private static func differs(_ own: Any?, _ wanted: Any) -> String? {
    switch (own, wanted) {
    case (let own as Bool, let wanted as NSNumber): own == wanted.boolValue ? nil : "\(own), not \(wanted)"
    case (let own as Double, let wanted as NSNumber): own == wanted.doubleValue ? nil : "\(own), not \(wanted)"
    case (let own as String, let wanted as String):
      own == (wanted == "middle" ? "center" : wanted) ? nil : "“\(own)”, not “\(wanted)”"
    case (let own as [String: Any], let wanted as [String: Any]):
      wanted.sorted { $0.key < $1.key }.lazy.compactMap { differs(own[$0.key], $0.value).map { text in text } }.first
    default: "\(own.map { "\($0)" } ?? "nothing"), not \(wanted)"
    }
  }

  private static func fields(_ cue: WebVTTDocument.Cue) -> [String: Any] {
    let place = cue.placement
    var fields: [String: Any] = [
      "id": cue.identifier, "startTime": cue.start.seconds, "endTime": cue.end.seconds, "text": cue.text,
      "size": place.size, "position": place.position ?? "auto" as Any,
    ]
    switch place.direction {
    case .horizontal: fields["vertical"] = ""
    case .verticalGrowingLeft: fields["vertical"] = "rl"
    case .verticalGrowingRight: fields["vertical"] = "lr"
    }
    switch place.line {
    case .automatic: fields["line"] = "auto"
    case .number(let number), .percent(let number): fields["line"] = number
    }
    if case .percent = place.line { fields["snapToLines"] = false } else { fields["snapToLines"] = true }
    fields["lineAlign"] = "\(place.lineAlignment)"
    fields["align"] = "\(place.textAlignment)"
    // W3C WebVTT, “computed position alignment”, for text that goes from left to right; the drafts named the ends.
    switch (place.positionAlignment, place.textAlignment) {
    case (.lineLeft, _), (.automatic, .left), (.automatic, .start): fields["positionAlign"] = "start"
    case (.lineRight, _), (.automatic, .right), (.automatic, .end): fields["positionAlign"] = "end"
    case (.center, _), (.automatic, .center): fields["positionAlign"] = "center"
    }
    fields["region"] = place.region.map { Self.fields($0) } ?? "" as Any
    return fields
  }

  private static func fields(_ region: CueRegion) -> [String: Any] {
    [
      "lines": Double(region.lines), "width": region.width, "regionAnchorX": region.anchorX,
      "regionAnchorY": region.anchorY, "viewportAnchorX": region.viewportAnchorX,
      "viewportAnchorY": region.viewportAnchorY, "scroll": region.scrollsUp ? "up" : "",
    ]
  }

  // MARK: Nodes

  /// Trees like `| <span>`, one for each cue.
  private static func compareTrees(_ list: [[String: Any]], _ document: WebVTTDocument?) -> String? {
    let cues = document?.cues ?? []
    guard cues.count == list.count else { return "\(cues.count) of \(list.count) cues" }
    for (index, (cue, wanted)) in zip(cues, list).enumerated() {
      var lines: [String] = []
      describe(WebVTTCueText.parse(cue.text), 0, &lines)
      let own = lines.map { $0 + "\n" }.joined()
      let expected = wanted["expectedTree"] as? String ?? ""
      guard own == expected else { return "cue \(index): \(own.debugDescription), not \(expected.debugDescription)" }
    }
    return nil
  }

  private static func describe(_ nodes: [WebVTTNode], _ depth: Int, _ lines: inout [String]) {
    let indent = "| " + String(repeating: "  ", count: depth)
    for node in nodes {
      switch node {
      case .text(let text): lines.append("\(indent)\"\(text)\"")
      case .timestamp(let time): lines.append("\(indent)<?timestamp \(clock(time.value))>")
      case .element(let element):
        lines.append("\(indent)<\(tag(element))>")
        if !element.classes.isEmpty { lines.append("\(indent)  class=\"\(element.classes.joined(separator: " "))\"") }
        if element.kind == .language { lines.append("\(indent)  lang=\"\(element.annotation)\"") }
        if element.kind == .voice { lines.append("\(indent)  title=\"\(element.annotation)\"") }
        describe(element.children, depth + 1, &lines)
      }
    }
  }

  private static func clock(_ milliseconds: Int64) -> String {
    func padded(_ number: Int64, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
    }
    let seconds = milliseconds / 1_000
    return padded(seconds / 3_600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2) + "."
      + padded(milliseconds % 1_000, 3)
  }

  private static func tag(_ element: WebVTTElement) -> String {
    switch element.kind {
    case .class, .voice, .language: "span"
    case .italic, .bold, .underline, .ruby, .rt: element.kind.rawValue
    }
  }

  /// Laid-out cues: a box, in it a line, in it the nodes. Where the boxes lie is another program's layout and not judged.
  private static func compareNodes(_ list: [[String: Any]], _ document: WebVTTDocument?) -> String? {
    let cues = document?.cues ?? []
    guard cues.count == list.count else { return "\(cues.count) of \(list.count) cues" }
    for (index, (cue, box)) in zip(cues, list).enumerated() {
      let line = (box["childNodes"] as? [[String: Any]])?.first?["childNodes"] as? [[String: Any]] ?? []
      var wanted: [String] = []
      describe(line, 0, &wanted)
      var own: [String] = []
      describe(WebVTTCueText.parse(cue.text), 0, &own)
      // The drafts' boxes leave out an empty title.
      own.removeAll { $0.hasSuffix("title=\"\"") }
      guard own == wanted else { return "cue \(index): \(own), not \(wanted)" }
    }
    return nil
  }

  private static func describe(_ nodes: [[String: Any]], _ depth: Int, _ lines: inout [String]) {
    let indent = "| " + String(repeating: "  ", count: depth)
    for node in nodes {
      let name = node["localName"] as? String ?? ""
      guard !name.isEmpty else {
        lines.append("\(indent)\"\(node["data"] as? String ?? "")\"")
        continue
      }
      lines.append("\(indent)<\(name)>")
      for (attribute, key) in [("class", "className"), ("lang", "lang"), ("title", "title")] {
        if let value = node[key] as? String, !value.isEmpty { lines.append("\(indent)  \(attribute)=\"\(value)\"") }
      }
      describe(node["childNodes"] as? [[String: Any]] ?? [], depth + 1, &lines)
    }
  }
}
