import MediaEngine

/// How a cue's lines are set along the direction of writing. Pure.
struct TextColumn: Hashable {
  enum Edge: Hashable { case start, center, end }

  /// Where the lines begin, stand around or end.
  var anchor: Int
  var edge: Edge
  /// How long a line may get.
  var limit: Int

  /// W3C WebVTT, “apply WebVTT cue settings”: position, size and alignment; within margins.
  /// - Parameters:
  ///   - from: where the picture or region begins along the line.
  ///   - length: of the picture or region.
  ///   - least: no cue is set in less than this.
  init(_ placement: CuePlacement, isRightToLeft: Bool, from: Int = 0, length: Int, margin: Int, least: Int) {
    let edge: Edge =
      switch placement.textAlignment {
      case .left: .start
      case .right: .end
      case .center: .center
      case .start: isRightToLeft ? .end : .start
      case .end: isRightToLeft ? .start : .end
      }
    self.edge = edge
    let usual: Double = edge == .start ? 0 : edge == .end ? 100 : 50
    let position = (placement.position ?? usual).bounded(0...100, else: usual)
    let align: Edge =
      switch placement.positionAlignment {
      case .automatic: edge
      case .lineLeft: .start
      case .center: .center
      case .lineRight: .end
      }
    let room: Double =
      switch align {
      case .start: 100 - position
      case .end: position
      case .center: min(position, 100 - position) * 2
      }
    let size = min(placement.size.bounded(0...100, else: 100), room)
    let begin: Double =
      switch align {
      case .start: position
      case .end: position - size
      case .center: position - size / 2
      }
    let scale = Double(length) / 100
    let left = Int((begin * scale).rounded())
    let right = Int(((begin + size) * scale).rounded())
    let (low, high) = (min(margin, length / 2), max(length - margin, length / 2 + 1))
    let least = min(least, high - low)
    let within: Int
    switch edge {
    case .start:
      within = min(max(left, low), high - least)
      limit = max(min(right, high) - within, least, 1)
    case .end:
      within = max(min(right, high), low + least)
      limit = max(within - max(left, low), least, 1)
    case .center:
      // What the margin takes on one side is missed on both: the middle stays.
      within = min(max((left + right) / 2, low + least / 2), high - least / 2)
      limit = max(2 * min((right - left) / 2, within - low, high - within), least, 1)
    }
    anchor = from + within
  }
}

extension StyledText {
  /// The last line first.
  var linesReversed: StyledText {
    var lines: [[Run]] = [[]]
    for run in runs {
      for (index, part) in run.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { lines.append([]) }
        lines[lines.count - 1].append(Run(String(part), run.style))
      }
    }
    var reversed = StyledText()
    for (index, line) in lines.reversed().enumerated() {
      if index > 0 { reversed.append("\n", line.first?.style ?? TextStyle()) }
      for run in line { reversed.append(run.text, run.style) }
    }
    return reversed
  }

  /// By its first letter that has a direction.
  var isRightToLeft: Bool {
    for run in runs {
      for scalar in run.text.unicodeScalars {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
        default: if scalar.properties.isAlphabetic { return false }
        }
      }
    }
    return false
  }
}
