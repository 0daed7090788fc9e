import Foundation

/// What a signal of Y′C′BC′R looks like on an sRGB display, calculated from the published formulas alone.
struct PublishedColour {
  enum Transfer { case pq, hlg, display }

  var transfer = Transfer.display
  /// Luma weights of red and blue (H.273).
  var kr = 0.2126
  var kb = 0.0722
  var isFull = false
  var bits = 10
  /// BT.2020 to BT.709 (BT.2087).
  var isWide = false
  /// cd/m² of the brightest, and of white on a display of standard range (BT.2408).
  var peak = 1_000.0
  let white = 203.0

  /// Codes to components of 0…255.
  func shown(_ y: Int, _ cb: Int, _ cr: Int) -> (red: Double, green: Double, blue: Double) {
    let unit = Double(1 << (bits - 8))
    let most = Double(1 << bits) - 1
    let luma = isFull ? Double(y) / most : (Double(y) / unit - 16) / 219
    func chroma(_ code: Int) -> Double {
      isFull ? (Double(code) - Double(1 << (bits - 1))) / most : (Double(code) / unit - 128) / 224
    }
    let (b, r) = (chroma(cb), chroma(cr))
    let red = luma + 2 * (1 - kr) * r
    let blue = luma + 2 * (1 - kb) * b
    let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
    let signal = [red, green, blue].map { min(max($0, 0), 1) }
    if transfer == .display, !isWide { return (signal[0] * 255, signal[1] * 255, signal[2] * 255) }
    let light = narrowed(toneMapped(self.light(signal)))
    let codes = light.map { value -> Double in
      let value = min(max(value, 0), 1)
      if transfer == .display { return pow(value, 1 / 2.4) * 255 }
      return (value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055) * 255
    }
    return (codes[0], codes[1], codes[2])
  }

  /// cd/m², or for standard range a share of white.
  private func light(_ signal: [Double]) -> [Double] {
    switch transfer {
    case .display: return signal.map { pow($0, 2.4) }
    case .pq: return signal.map(Self.pqLight)
    case .hlg:
      let (a, b) = (0.17883277, 0.28466892)
      let c = 0.55991073
      let scene = signal.map { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - c) / a) + b) / 12 }
      let luminance = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2]
      return scene.map { 1_000 * pow(luminance, 0.2) * $0 }
    }
  }

  static func pqLight(_ signal: Double) -> Double {
    let root = pow(signal, 32.0 / 2523)
    return 10_000 * pow(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 16_384.0 / 2610)
  }

  static func pqSignal(_ light: Double) -> Double {
    let root = pow(max(light, 0) / 10_000, 2610.0 / 16_384)
    return pow((0.8359375 + 18.8515625 * root) / (1 + 18.6875 * root), 2523.0 / 32)
  }

  /// BT.2390's EETF on the brightest component; the others in proportion. Gives shares of white.
  private func toneMapped(_ light: [Double]) -> [Double] {
    guard transfer != .display, let brightest = light.max(), brightest > 0 else { return light }
    let lw = Self.pqSignal(peak)
    let e1 = min(Self.pqSignal(brightest) / lw, 1)
    let maxLum = Self.pqSignal(white) / lw
    let ks = 1.5 * maxLum - 0.5
    var e2 = e1
    if e1 >= ks {
      let t = (e1 - ks) / (1 - ks)
      e2 =
        (2 * t * t * t - 3 * t * t + 1) * ks + (t * t * t - 2 * t * t + t) * (1 - ks)
        + (-2 * t * t * t + 3 * t * t) * maxLum
    }
    let factor = Self.pqLight(e2 * lw) / brightest / white
    return light.map { $0 * factor }
  }

  private func narrowed(_ light: [Double]) -> [Double] {
    guard isWide else { return light }
    return [
      1.6605 * light[0] - 0.5876 * light[1] - 0.0728 * light[2],
      -0.1246 * light[0] + 1.1329 * light[1] - 0.0083 * light[2],
      -0.0182 * light[0] - 0.1006 * light[1] + 1.1187 * light[2],
    ]
  }
}
