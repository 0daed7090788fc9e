import AVFoundation

/// Which pictures of a film are made. Pure.
struct ThumbnailPlan: Equatable {
  struct Shot: Equatable {
    var time: CMTime
    /// What it stands for in a WebVTT file.
    var start: CMTime
    var end: CMTime
  }

  var shots: [Shot]

  init(shots: [Shot]) { self.shots = shots }

  /// Nil: one picture that shows something, found by trying (`ThumbnailChoice`).
  init?(_ options: ThumbnailOptions, duration: CMTime) {
    let length = duration.isNumeric && duration > .zero ? duration : .zero
    if !options.times.isEmpty {
      self.init(shots: options.times.map { Shot(time: $0, start: $0, end: $0) })
      return
    }
    if let interval = options.interval {
      self.init(every: interval, length, atMost: options.count)
      return
    }
    if let count = options.count {
      self.init(count, length)
    } else if options.writesCues {
      // A hundred pictures, but not more than one a second.
      self.init(every: max(CMTime(value: 1, timescale: 1), Self.part(length, 1, 100)), length, atMost: nil)
    } else if let sheet = options.sheet {
      self.init(sheet.count, length)
    } else {
      return nil
    }
  }

  private init(every interval: CMTime, _ length: CMTime, atMost limit: Int?) {
    var shots: [Shot] = []
    let limit = min(limit ?? ThumbnailOptions.countLimit, ThumbnailOptions.countLimit)
    var start = CMTime.zero
    while shots.count < limit, start < length || shots.isEmpty {
      let next = start + interval
      shots.append(Shot(time: start, start: start, end: length > .zero ? min(next, length) : next))
      start = next
    }
    self.init(shots: shots)
  }

  /// The middles of so many equal parts.
  private init(_ count: Int, _ length: CMTime) {
    self.init(
      shots: (0..<Int64(count)).map { index in
        let parts = Int64(count)
        return Shot(
          time: Self.part(length, 2 * index + 1, 2 * parts), start: Self.part(length, index, parts),
          end: Self.part(length, index + 1, parts))
      })
  }

  /// In microseconds.
  private static func part(_ length: CMTime, _ numerator: Int64, _ denominator: Int64) -> CMTime {
    let whole = length.convertScale(1_000_000, method: .roundHalfAwayFromZero)
    guard whole.isNumeric else { return .zero }
    let product = whole.value.multipliedFullWidth(by: numerator)
    guard product.high.magnitude < denominator.magnitude else { return .zero }
    return CMTime(value: denominator.dividingFullWidth(product).quotient, timescale: 1_000_000)
  }
}
