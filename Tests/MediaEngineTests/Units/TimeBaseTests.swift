import CoreMedia
import MediaEngine
import MediaTestSupport
import Testing

@Suite struct TimeBaseTests {
  @Test("Ticks of a time, for every kind of time scale, against integers of 128 bits")
  func ticksAgainstWideIntegers() {
    var random = SeededNumbers(28)
    let scales: [Int32] = [1, 2, 3, 24, 25, 600, 1_000, 44_100, 90_000, 1_000_000_000, .max]
    for round in 0..<20_000 {
      let base = TimeBase(scales.randomElement(using: &random) ?? 1, scales.randomElement(using: &random) ?? 1)
      let bits = UInt64(round % 63)
      let value = Int64(truncatingIfNeeded: random.next()) >> Int64(bits)
      let time = CMTime(value: value, timescale: scales.randomElement(using: &random) ?? 1)
      let numerator = Int128(value) * Int128(base.denominator)
      let divisor = Int128(time.timescale) * Int128(base.numerator)
      let (quotient, remainder) = numerator.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
      let rounded = Int128(quotient + (remainder * 2 >= divisor.magnitude ? 1 : 0)) * (value < 0 ? -1 : 1)
      let wanted = rounded.magnitude <= UInt128(Int64.max) ? Int64(rounded) : nil
      let ticks = base.ticks(time)
      #expect(ticks == wanted, "\(value)/\(time.timescale) in \(base)")
    }
  }

  @Test("Whole seconds have ticks: they are the commonest times")
  func wholeSeconds() {
    let ticks = TimeBase(1, 12_288).ticks(CMTime(value: 9, timescale: 1))
    #expect(ticks == 110_592)
  }
}
