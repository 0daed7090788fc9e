import Glibc

/// SMPTE ST 2084 (perceptual quantiser): a signal of 0…1 and light of 0…10,000 cd/m².
enum PerceptualQuantizer {
  static let peak = 10_000.0

  private static let m1 = 2610.0 / 16384
  private static let m2 = 2523.0 / 4096 * 128
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 4096 * 32
  private static let c3 = 2392.0 / 4096 * 32

  static func light(of signal: Double) -> Double {
    let root = pow(min(max(signal, 0), 1), 1 / m2)
    return peak * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
  }

  static func signal(of light: Double) -> Double {
    let root = pow(min(max(light / peak, 0), 1), m1)
    return pow((c1 + c2 * root) / (1 + c3 * root), m2)
  }
}

/// Hybrid log-gamma (ITU-R BT.2100, table 5).
enum HybridLogGamma {
  /// The display that the light is made for, in cd/m²; its system gamma is 1.2.
  static let displayPeak = 1_000.0
  static let gamma = 1.2

  private static let a = 0.178_832_77
  private static let b = 1 - 4 * 0.178_832_77
  private static let c = 0.5 - 0.178_832_77 * log(4 * 0.178_832_77)

  /// Light of the scene, 0…1, of a signal (inverse OETF).
  static func scene(of signal: Double) -> Double {
    let signal = min(max(signal, 0), 1)
    return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
  }
}

/// What an sRGB display does (IEC 61966-2-1): light of 0…1 to a signal of 0…1.
enum StandardDisplay {
  static func signal(of light: Double) -> Double {
    let light = min(max(light, 0), 1)
    return light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }
}
