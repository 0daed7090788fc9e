import Glibc
import MediaEngine
import MediaRuntime

/// What the mapping of one kind of pictures looks up instead of calculating it for each pixel.
///
/// `@unchecked Sendable`: only read once it is made.
final class RangeTables: @unchecked Sendable {
  struct Kind: Hashable {
    var transfer: Int
    var primaries: Int
    var peak: Double
  }

  /// Light of a channel by its signal in 16 bits: a share of a standard display's white, of the scene for HLG.
  let light: [Float]
  /// HLG's OOTF: a factor by the square root of the scene's luminance, 0…1; empty for others.
  let system: [Float]
  /// What the tone curve makes of light, as a factor by the square root of the brightest channel; empty without one.
  let tone: [Float]
  /// One step of `tone` in the square root of light.
  let toneScale: Float
  /// To BT.709's primaries, row by row.
  let gamut: [Float]
  /// Codes of 8 bits by light of 0…1.
  let code: [UInt8]

  static let steps = 4_096
  static let codeSteps = 16_384

  private static let kept = Lock<(kind: Kind, tables: RangeTables)?>(nil)

  /// The tables of the kind of pictures that came last are kept.
  static func of(_ color: ColorDescription) -> RangeTables {
    let isHigh = color.isHighDynamicRange
    let curve = color.transfer == 18 ? ToneCurve(peak: HybridLogGamma.displayPeak) : ToneCurve(color)
    let kind = Kind(
      transfer: isHigh ? color.transfer : 1, primaries: isHigh && color.primaries == 2 ? 9 : color.primaries,
      peak: isHigh ? curve.peak : 0)
    if let kept = kept.withLock({ $0 }), kept.kind == kind { return kept.tables }
    let made = RangeTables(kind, curve)
    kept.withLock { $0 = (kind, made) }
    return made
  }

  private init(_ kind: Kind, _ curve: ToneCurve) {
    let white = ToneCurve.white
    func signals(_ light: (Double) -> Double) -> [Float] { (0...65_535).map { Float(light(Double($0) / 65_535)) } }
    func factors(_ factor: (Double) -> Double) -> [Float] {
      (0...Self.steps).map { Float(factor(Double($0) / Double(Self.steps))) }
    }
    switch kind.transfer {
    case 16:
      light = signals { PerceptualQuantizer.light(of: $0) / white }
      system = []
    case 18:
      light = signals(HybridLogGamma.scene)
      system = factors { root in
        HybridLogGamma.displayPeak / white * pow(root * root, HybridLogGamma.gamma - 1)
      }
    default:
      // ITU-R BT.1886.
      light = signals { pow($0, 2.4) }
      system = []
    }
    if kind.peak > 0 {
      let most = PerceptualQuantizer.peak / white
      toneScale = Float(Double(Self.steps) / most.squareRoot())
      tone = factors { root in
        let light = root * root * PerceptualQuantizer.peak
        return light > 0 ? curve.mapped(light) / light : 1
      }
      code = (0...Self.codeSteps).map {
        UInt8((StandardDisplay.signal(of: Double($0) / Double(Self.codeSteps)) * 255).rounded())
      }
    } else {
      (tone, toneScale) = ([], 0)
      code = (0...Self.codeSteps).map { UInt8((pow(Double($0) / Double(Self.codeSteps), 1 / 2.4) * 255).rounded()) }
    }
    let matrix = Gamut.toStandard(kind.primaries) ?? [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    gamut = matrix.flatMap { $0.map(Float.init) }
  }
}
