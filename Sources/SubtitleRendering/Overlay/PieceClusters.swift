/// Puts rectangles together whose bounds overlap or nearly touch, so that each group is one piece and no two pieces
/// overlap. Pure.
enum PieceClusters {
  struct Cluster {
    var bounds: PixelRect
    /// In ascending order: the order of drawing.
    var members: [Int]
  }

  /// Pieces nearer than this are joined: few larger ones are handled faster than many small ones.
  private static let gap = 8

  static func group(_ rectangles: [PixelRect]) -> [Cluster] {
    var clusters: [Cluster] = []
    for (index, rectangle) in rectangles.enumerated() where !rectangle.isEmpty {
      var joined = Cluster(bounds: rectangle, members: [index])
      var isGrowing = true
      while isGrowing {
        isGrowing = false
        var kept: [Cluster] = []
        for cluster in clusters {
          if near(cluster.bounds, joined.bounds) {
            joined.bounds = joined.bounds.union(cluster.bounds)
            joined.members += cluster.members
            isGrowing = true
          } else {
            kept.append(cluster)
          }
        }
        clusters = kept
      }
      clusters.append(joined)
      if clusters.count > SubtitleRenderLimits.pieces {
        let all = clusters.reduce(joined.bounds) { $0.union($1.bounds) }
        clusters = [Cluster(bounds: all, members: clusters.flatMap(\.members))]
      }
    }
    for index in clusters.indices { clusters[index].members.sort() }
    return clusters
  }

  private static func near(_ one: PixelRect, _ other: PixelRect) -> Bool {
    PixelRect(x: one.x - gap, y: one.y - gap, width: one.width + 2 * gap, height: one.height + 2 * gap)
      .intersects(other)
  }
}
