import CoreMedia
import MediaEngine
import Testing

/// How loud a track is at a time, by the changes that were made.
@Suite struct VolumeCurveTests {
  private func at(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1_000) }

  private func ramp(_ start: Double, _ end: Double, _ from: Float, _ to: Float) -> VolumeCurve.Ramp {
    VolumeCurve.Ramp(start: at(start), end: at(end), startVolume: from, endVolume: to)
  }

  @Test func withoutChanges_theVolumeIsOne() {
    let curve = VolumeCurve()
    #expect(curve.volume(at: -5) == 1)
    #expect(curve.volume(at: 1e9) == 1)
    #expect(curve.ramp(at: .zero) == nil)
  }

  @Test func changesHoldUpToTheNext() {
    var curve = VolumeCurve()
    curve.add(ramp(4, 6, 1, 0))
    curve.set(0.5, at: at(2))
    curve.set(0.25, at: at(8))
    let expected: [(Double, Float)] = [
      (0, 1), (1.999, 1), (2, 0.5), (3.9, 0.5), (4, 1), (5, 0.5), (6, 0), (7.9, 0), (8, 0.25), (100, 0.25),
    ]
    for (seconds, volume) in expected { #expect(abs(curve.volume(at: seconds) - volume) < 1e-6, "at \(seconds)") }
  }

  @Test func aLaterChangeCutsTheRampBelowIt_andVoidsWhatBeginsWithin() {
    var curve = VolumeCurve()
    curve.add(ramp(0, 10, 0, 1))
    curve.set(0.9, at: at(12))
    curve.add(ramp(5, 13, 0.2, 0.4))
    #expect(abs(curve.volume(at: 4.999) - 0.4999) < 1e-3)
    #expect(abs(curve.volume(at: 5) - 0.2) < 1e-6)
    #expect(abs(curve.volume(at: 12.5) - 0.3875) < 1e-3)
    #expect(abs(curve.volume(at: 14) - 0.4) < 1e-6)
    #expect(curve.ramps.count == 2)
  }

  @Test func theStretchOfATime() throws {
    var curve = VolumeCurve()
    curve.add(ramp(2, 4, 0.5, 0))
    curve.set(0.7, at: at(6))
    #expect(curve.ramp(at: at(1)) == nil)
    #expect(curve.ramp(at: at(3)) == ramp(2, 4, 0.5, 0))
    #expect(curve.ramp(at: at(5)) == ramp(4, 6, 0, 0))
    let last = try #require(curve.ramp(at: at(60)))
    #expect(last.start == at(6) && last.end == .positiveInfinity && last.endVolume == 0.7)
  }

  @Test func whatIsNoNumberChangesNothing_andNothingIsBelowZero() {
    var curve = VolumeCurve()
    curve.set(.nan, at: .zero)
    curve.set(.infinity, at: .zero)
    curve.set(0.5, at: .invalid)
    curve.set(0.5, at: .positiveInfinity)
    curve.add(ramp(3, 2, 0, 1))
    #expect(curve.ramps.isEmpty && curve.isUnity)
    curve.set(-3, at: .zero)
    #expect(curve.volume(at: 1) == 0)
  }
}
