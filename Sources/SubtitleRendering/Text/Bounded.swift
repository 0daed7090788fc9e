extension Double {
  /// The nearest number of a range; for what is none, another one.
  func bounded(_ range: ClosedRange<Double>, else fallback: Double) -> Double {
    isNaN ? fallback : min(max(self, range.lowerBound), range.upperBound)
  }
}
