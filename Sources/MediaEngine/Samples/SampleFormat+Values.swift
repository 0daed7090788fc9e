/// Samples as numbers from −1 to 1. A whole number of n bits is itself divided by 2ⁿ⁻¹, both ways, so that whole numbers
/// and 32-bit floats that came of at most 24 bits pass unchanged. Nothing is dithered.
extension SampleFormat {
  func read(_ values: UnsafeMutableBufferPointer<Double>, from base: UnsafeRawPointer, stride: Int) {
    switch (kind, bits) {
    case (.unsigned, _): each(values, base, stride) { (Double($0.load(as: UInt8.self)) - 128) / 128 }
    case (.signed, 8): each(values, base, stride) { Double($0.load(as: Int8.self)) / 128 }
    case (.signed, 16): each(values, base, stride) { Double(Int16(truncatingIfNeeded: bits($0, UInt16.self))) / 32_768 }
    case (.signed, 24): each(values, base, stride) { Double(three($0)) / 8_388_608 }
    case (.signed, _):
      each(values, base, stride) { Double(Int32(truncatingIfNeeded: bits($0, UInt32.self))) / 2_147_483_648 }
    case (.float, 32): each(values, base, stride) { Double(Float(bitPattern: bits($0, UInt32.self))) }
    case (.float, _): each(values, base, stride) { Double(bitPattern: bits($0, UInt64.self)) }
    }
  }

  func write(_ values: UnsafeMutableBufferPointer<Double>, to base: UnsafeMutableRawPointer, stride: Int) {
    for (index, value) in values.enumerated() {
      let place = base + index * stride
      switch (kind, bits) {
      case (.unsigned, _): place.storeBytes(of: UInt8(truncatingIfNeeded: whole(value) + 128), as: UInt8.self)
      case (.signed, 8): place.storeBytes(of: Int8(truncatingIfNeeded: whole(value)), as: Int8.self)
      case (.signed, 16): store(UInt16(truncatingIfNeeded: whole(value)), place)
      case (.signed, 24):
        let number = whole(value)
        for byte in 0..<3 {
          let shift = 8 * (isBigEndian ? 2 - byte : byte)
          place.storeBytes(of: UInt8(truncatingIfNeeded: number >> shift), toByteOffset: byte, as: UInt8.self)
        }
      case (.signed, _): store(UInt32(truncatingIfNeeded: whole(value)), place)
      case (.float, 32): store(Float(value).bitPattern, place)
      case (.float, _): store(value.bitPattern, place)
      }
    }
  }

  /// The nearest whole number of `bits` bits; what is no number is silence.
  private func whole(_ value: Double) -> Int {
    let scale = Double(1 << (bits - 1))
    let scaled = (value * scale).rounded(.toNearestOrEven)
    guard scaled == scaled else { return 0 }
    return Int(min(max(scaled, -scale), scale - 1))
  }

  @inline(__always)
  private func each(
    _ values: UnsafeMutableBufferPointer<Double>, _ base: UnsafeRawPointer, _ stride: Int,
    _ value: (UnsafeRawPointer) -> Double
  ) {
    for index in values.indices { values[index] = value(base + index * stride) }
  }

  @inline(__always)
  private func bits<Number: FixedWidthInteger & BitwiseCopyable>(_ place: UnsafeRawPointer, _ type: Number.Type)
    -> Number
  {
    let number = place.loadUnaligned(as: type)
    return isBigEndian ? number.byteSwapped : number
  }

  @inline(__always)
  private func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, _ place: UnsafeMutableRawPointer) {
    place.storeBytes(of: isBigEndian ? number.byteSwapped : number, as: Number.self)
  }

  private func three(_ place: UnsafeRawPointer) -> Int32 {
    let bytes = (0..<3).map { UInt32(place.load(fromByteOffset: isBigEndian ? 2 - $0 : $0, as: UInt8.self)) }
    return Int32(bitPattern: (bytes[0] | bytes[1] << 8 | bytes[2] << 16) << 8) >> 8
  }
}
