import CFFmpeg
import Glibc
import MediaEngine

extension TimeBase {
  init(_ rational: AVRational) { self.init(rational.num, rational.den) }

  var rational: AVRational { AVRational(num: numerator, den: denominator) }
}

extension AVRational {
  static let microseconds = ff_microseconds()

  var isPositive: Bool { num > 0 && den > 0 }
  var double: Double { den == 0 ? 0 : Double(num) / Double(den) }
}

/// FFmpeg's timestamps mark "none" with the smallest number.
func known(_ timestamp: Int64) -> Int64? { timestamp == FF_NOPTS ? nil : timestamp }

/// Ticks of another time base, nearest; nil when the product does not fit.
func rescale(_ value: Int64, _ from: AVRational, _ to: AVRational, rounding: AVRounding = AV_ROUND_NEAR_INF) -> Int64? {
  guard from.isPositive, to.isPositive else { return nil }
  let result = av_rescale_q_rnd(value, from, to, rounding)
  return result == Int64.min ? nil : result
}

extension String {
  /// Nil for a null pointer; damaged UTF-8 is repaired.
  init?(c text: UnsafePointer<CChar>?) {
    guard let text else { return nil }
    self.init(cString: text)
  }

  /// Up to `limit` bytes: a container may claim a tag of any size.
  init?(c text: UnsafePointer<CChar>?, limit: Int) {
    guard let text else { return nil }
    let bytes = UnsafeRawBufferPointer(start: text, count: strnlen(text, limit))
    self.init(decoding: bytes, as: UTF8.self)
  }
}

/// The entries of an FFmpeg dictionary in its order.
func entries(of dictionary: OpaquePointer?, limit: Int = 1_000) -> [(key: String, value: String)] {
  var result: [(key: String, value: String)] = []
  var entry: UnsafeMutablePointer<AVDictionaryEntry>?
  while result.count < limit {
    entry = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
    guard let found = entry else { break }
    guard let key = String(c: found.pointee.key, limit: 1_024),
      let value = String(c: found.pointee.value, limit: 1 << 20)
    else { continue }
    result.append((key, value))
  }
  return result
}
