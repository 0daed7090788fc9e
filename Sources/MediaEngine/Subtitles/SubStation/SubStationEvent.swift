/// A line of dialogue of SubStation Alpha: what libass needs to lay it out as authored, but the times.
package struct SubStationEvent: Hashable, Sendable {
  /// Position in the file; tells apart events of the same time.
  package var readOrder: Int
  package var layer: Int
  package var style: String
  package var name: String
  package var marginLeft: Int
  package var marginRight: Int
  package var marginVertical: Int
  package var effect: String
  /// With its override codes.
  package var text: String

  package init(
    readOrder: Int, layer: Int, style: String, name: String, marginLeft: Int = 0, marginRight: Int = 0,
    marginVertical: Int = 0, effect: String = "", text: String
  ) {
    self.readOrder = readOrder
    self.layer = layer
    self.style = style
    self.name = name
    self.marginLeft = marginLeft
    self.marginRight = marginRight
    self.marginVertical = marginVertical
    self.effect = effect
    self.text = text
  }

  /// The form of Matroska's blocks and of FFmpeg's decoders:
  /// `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
  package init?(packet: String) {
    let fields = packet.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    guard fields.count == 9 else { return nil }
    func number(_ index: Int) -> Int { Int(fields[index].filter { !$0.isWhitespace }) ?? 0 }
    self.init(
      readOrder: number(0), layer: number(1), style: String(fields[2]), name: String(fields[3]),
      marginLeft: number(4), marginRight: number(5), marginVertical: number(6), effect: String(fields[7]),
      text: fields[8].limited(to: SubtitleLimits.cueText))
  }

  package var packet: String {
    "\(readOrder),\(layer),\(style),\(name),\(marginLeft),\(marginRight),\(marginVertical),\(effect),\(text)"
  }
}
