/// The rows of a folder's `truth.tsv`: which files there are and what FFmpeg's tools made of them.
package struct TruthTable: Sendable {
  package struct Row: Hashable, Sendable {
    /// From the folder `files` beside the table.
    package var path: String
    /// `media` or `subtitle`.
    package var kind: String
    /// `ok`, `errors`, `unplayable`, `segment`, …
    package var status: String
    /// Names the content; empty when the table has no such column.
    package var digest: String

    /// Pictures that FFmpeg's tool decoded; 0 when the table does not say.
    package var framesDecoded = 0
    /// Subtitles that FFmpeg's tool found; 0 when the table does not say.
    package var subtitlePackets = 0
    /// Nil when the table does not say.
    package var chapters: Int?
    package var covers: Int?
    /// Seconds by the header, and as much as FFmpeg's tool decoded; nil when the table does not say.
    package var duration: Double?
    package var decoded: Double?

    package init(path: String, kind: String, status: String, digest: String = "") {
      self.path = path
      self.kind = kind
      self.status = status
      self.digest = digest
    }
  }

  package var rows: [Row]

  package enum Failure: Error, CustomStringConvertible {
    case columnMissing(String)
    package var description: String {
      switch self {
      case .columnMissing(let name): "truth.tsv has no column \(name)."
      }
    }
  }

  package init(_ text: String) throws(Failure) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    let names = lines.first?.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) ?? []
    func column(_ name: String) throws(Failure) -> Int {
      guard let index = names.firstIndex(of: name) else { throw .columnMissing(name) }
      return index
    }
    let (path, kind, status) = (try column("path"), try column("kind"), try column("status"))
    let digest = names.firstIndex(of: "sha256_32")
    let frames = names.firstIndex(of: "frames_decoded")
    let packets = names.firstIndex(of: "n_sub_packets")
    let (chapters, covers) = (names.firstIndex(of: "n_chapters"), names.firstIndex(of: "n_covers"))
    let duration = names.firstIndex(of: "duration")
    let decoded = names.firstIndex(of: "decoded_s")
    rows = lines.dropFirst().compactMap { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.indices.contains(max(path, kind, status)) else { return nil }
      var row = Row(
        path: cells[path], kind: cells[kind], status: cells[status],
        digest: digest.flatMap { cells.indices.contains($0) ? cells[$0] : nil } ?? "")
      row.framesDecoded = frames.flatMap { cells.indices.contains($0) ? Int(cells[$0]) : nil } ?? 0
      row.subtitlePackets = packets.flatMap { cells.indices.contains($0) ? Int(cells[$0]) : nil } ?? 0
      row.chapters = chapters.flatMap { cells.indices.contains($0) ? Int(cells[$0]) : nil }
      row.covers = covers.flatMap { cells.indices.contains($0) ? Int(cells[$0]) : nil }
      row.duration = duration.flatMap { cells.indices.contains($0) ? Double(cells[$0]) : nil }
      row.decoded = decoded.flatMap { cells.indices.contains($0) ? Double(cells[$0]) : nil }
      return row
    }
  }
}
