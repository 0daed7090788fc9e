import Foundation

/// CIE L*a*b* with the white of daylight (D65), and the CIEDE2000 difference.
struct LabColour {
  var l: Double
  var a: Double
  var b: Double

  /// Of sRGB components, 0…255 (IEC 61966-2-1).
  init(red: Double, green: Double, blue: Double) {
    let linear = [red, green, blue].map { component -> Double in
      let value = component / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    func row(_ x: Double, _ y: Double, _ z: Double) -> Double { x * linear[0] + y * linear[1] + z * linear[2] }
    func f(_ t: Double) -> Double { t > 216.0 / 24_389 ? cbrt(t) : (24_389.0 / 27 * t + 16) / 116 }
    let x = f(row(0.4124564, 0.3575761, 0.1804375) / 0.95047)
    let y = f(row(0.2126729, 0.7151522, 0.0721750))
    let z = f(row(0.0193339, 0.1191920, 0.9503041) / 1.08883)
    self.init(l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
  }

  init(l: Double, a: Double, b: Double) {
    self.l = l
    self.a = a
    self.b = b
  }

  /// Sharma, Wu and Dalal: “The CIEDE2000 Color-Difference Formula”, 2005.
  func difference(to other: LabColour) -> Double {
    let meanChroma = (hypot(a, b) + hypot(other.a, other.b)) / 2
    let c7 = pow(meanChroma, 7)
    let g = 0.5 * (1 - (c7 / (c7 + pow(25, 7))).squareRoot())
    let (a1, a2) = ((1 + g) * a, (1 + g) * other.a)
    let (c1, c2) = (hypot(a1, b), hypot(a2, other.b))
    func hue(_ a: Double, _ b: Double) -> Double {
      guard a != 0 || b != 0 else { return 0 }
      let angle = atan2(b, a) * 180 / .pi
      return angle < 0 ? angle + 360 : angle
    }
    let (h1, h2) = (hue(a1, b), hue(a2, other.b))
    var dh = c1 * c2 == 0 ? 0 : h2 - h1
    if dh > 180 { dh -= 360 } else if dh < -180 { dh += 360 }
    let (dl, dc) = (other.l - l, c2 - c1)
    let bigH = 2 * (c1 * c2).squareRoot() * sin(dh / 2 * .pi / 180)
    let (ml, mc) = ((l + other.l) / 2, (c1 + c2) / 2)
    var mh = h1 + h2
    if c1 * c2 != 0 {
      if abs(h1 - h2) <= 180 { mh /= 2 } else { mh = mh < 360 ? (mh + 360) / 2 : (mh - 360) / 2 }
    }
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    let t = 1 - 0.17 * cosine(mh - 30) + 0.24 * cosine(2 * mh) + 0.32 * cosine(3 * mh + 6) - 0.20 * cosine(4 * mh - 63)
    let m7 = pow(mc, 7)
    let rotation = -2 * (m7 / (m7 + pow(25, 7))).squareRoot() * sin(60 * exp(-pow((mh - 275) / 25, 2)) * .pi / 180)
    let sl = 1 + 0.015 * pow(ml - 50, 2) / (20 + pow(ml - 50, 2)).squareRoot()
    let sc = 1 + 0.045 * mc
    let sh = 1 + 0.015 * mc * t
    let (x, y, z) = (dl / sl, dc / sc, bigH / sh)
    return (x * x + y * y + z * z + rotation * y * z).squareRoot()
  }
}
