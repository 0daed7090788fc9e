import Foundation
import MediaEngine

/// The electrical-electrical transfer function of ITU-R BT.2390 (5.4.1): from a mastering display's range to a standard
/// display's, with black at 0 in both. Darker parts stay as they are, bright ones roll off.
struct ToneCurve: Hashable {
  /// What a standard display shows as white, in cd/m²: the reference white of high dynamic range (ITU-R BT.2408).
  static let white = 203.0
  private static let defaultPeak = 1_000.0

  /// cd/m² of the brightest that is in the pictures.
  let peak: Double

  init(peak: Double) { self.peak = min(max(peak, Self.white), PerceptualQuantizer.peak) }

  /// By what is known of the content (CTA-861.3 MaxCLL), else of the display that it was made on (ST 2086).
  init(_ color: ColorDescription) {
    self.init(peak: Self.contentPeak(color) ?? Self.displayPeak(color) ?? Self.defaultPeak)
  }

  private static func contentPeak(_ color: ColorDescription) -> Double? {
    guard let data = color.contentLightLevel.map(Array.init), data.count >= 2 else { return nil }
    let value = Int(data[0]) << 8 | Int(data[1])
    return value > 0 ? Double(value) : nil
  }

  private static func displayPeak(_ color: ColorDescription) -> Double? {
    guard let data = color.masteringDisplay.map(Array.init), data.count >= 20 else { return nil }
    let value = data[16..<20].reduce(0) { $0 << 8 | Int($1) }
    return value > 0 ? Double(value) / 10_000 : nil
  }

  /// cd/m² shown for cd/m² of the content.
  func mapped(_ light: Double) -> Double {
    let range = PerceptualQuantizer.signal(of: peak)
    let white = PerceptualQuantizer.signal(of: Self.white) / range
    let signal = min(PerceptualQuantizer.signal(of: light) / range, 1)
    let knee = 1.5 * white - 0.5
    guard white < 1, signal > knee else { return min(light, Self.white) }
    let t = (signal - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let spline = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * white
    return PerceptualQuantizer.light(of: spline * range)
  }
}
