/// Makes nodes of a cue's text (W3C WebVTT, “WebVTT cue text parsing rules”). Tags deeper than `SubtitleLimits.nesting`
/// are left out, their text is not.
package enum WebVTTCueText {
  package static func parse(_ text: String) -> [WebVTTNode] {
    var tokens = WebVTTTokenizer(text)
    var root: [WebVTTNode] = []
    var open: [WebVTTElement] = []

    func append(_ node: WebVTTNode) {
      if open.isEmpty { root.append(node) } else { open[open.count - 1].children.append(node) }
    }
    func closeInnermost() {
      guard let element = open.popLast() else { return }
      append(.element(element))
    }

    while let token = tokens.next() {
      switch token {
      case .text(let text): append(.text(text))
      case .timestamp(let text): if let time = WebVTTTimestamp.parse(text) { append(.timestamp(time)) }
      case .start(let name, let classes, let annotation):
        guard let kind = WebVTTElement.Kind(rawValue: name), open.count < SubtitleLimits.nesting else { continue }
        if kind == .rt, open.last?.kind != .ruby { continue }
        let keepsAnnotation = kind == .voice || kind == .language
        open.append(WebVTTElement(kind: kind, classes: classes, annotation: keepsAnnotation ? annotation : ""))
      case .end(let name):
        guard let kind = WebVTTElement.Kind(rawValue: name), let innermost = open.last?.kind else { continue }
        if kind == innermost {
          closeInnermost()
        } else if kind == .ruby, innermost == .rt {
          closeInnermost()
          closeInnermost()
        }
      }
    }
    while !open.isEmpty { closeInnermost() }
    return root
  }
}
