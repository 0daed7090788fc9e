/// Colours of one set of primaries told in another's, both with the white of daylight (D65).
enum Gamut {
  typealias Matrix = [[Double]]

  /// From linear light in the primaries of an H.273 code point to BT.709's; nil when they are BT.709's or close to it.
  static func toStandard(_ primaries: Int) -> Matrix? {
    guard let source = places[primaries], let back = inverse(light(standard)) else { return nil }
    return product(back, light(source))
  }

  private typealias Places = (red: (Double, Double), green: (Double, Double), blue: (Double, Double))
  private static let white = (0.3127, 0.3290)
  private static let standard: Places = ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
  private static let places: [Int: Places] = [
    9: ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
    12: ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060)),
  ]

  /// From RGB to CIE XYZ (SMPTE RP 177).
  private static func light(_ places: Places) -> Matrix {
    func column(_ place: (Double, Double)) -> [Double] {
      [place.0 / place.1, 1, (1 - place.0 - place.1) / place.1]
    }
    let columns = [column(places.red), column(places.green), column(places.blue)]
    let rows = (0..<3).map { row in columns.map { $0[row] } }
    guard let back = inverse(rows) else { return rows }
    let share = product(back, column(white).map { [$0] })
    return rows.map { row in (0..<3).map { row[$0] * share[$0][0] } }
  }

  private static func product(_ left: Matrix, _ right: Matrix) -> Matrix {
    left.map { row in
      (0..<(right.first?.count ?? 0)).map { column in
        row.indices.reduce(0) { $0 + row[$1] * right[$1][column] }
      }
    }
  }

  private static func inverse(_ m: Matrix) -> Matrix? {
    func minor(_ row: Int, _ column: Int) -> Double {
      let rows = [0, 1, 2].filter { $0 != row }
      let columns = [0, 1, 2].filter { $0 != column }
      return m[rows[0]][columns[0]] * m[rows[1]][columns[1]] - m[rows[0]][columns[1]] * m[rows[1]][columns[0]]
    }
    let determinant = m[0][0] * minor(0, 0) - m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2)
    guard determinant != 0 else { return nil }
    return (0..<3).map { row in
      (0..<3).map { column in ((row + column) % 2 == 0 ? 1 : -1) * minor(column, row) / determinant }
    }
  }
}
