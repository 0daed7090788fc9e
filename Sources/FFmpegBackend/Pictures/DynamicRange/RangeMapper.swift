import CFFmpeg
import CoreVideo
import MediaEngine
import MediaRuntime

/// Pictures of high dynamic range or wide gamut as an sRGB display shows them.
///
/// libswscale scales to 16-bit 4:4:4 in the picture's own signal; then, pixel by pixel and by tables: the matrix, the
/// transfer function (ST 2084; BT.2100 HLG with its OOTF for 1,000 cd/m²; BT.1886), the tone curve of BT.2390 by the
/// brightest channel (which keeps hues), BT.709's primaries (what lies outside is cut), sRGB's transfer function. Wide
/// gamut of standard range keeps the transfer function that it has.
enum RangeMapper {
  static func isNeeded(_ color: ColorDescription) -> Bool {
    color.isHighDynamicRange || color.primaries == 9 || color.primaries == 12
  }

  static func convert(_ picture: FramePicture, width: Int, height: Int) throws(MediaError) -> CVPixelBuffer {
    guard width > 0, height > 0, width <= 1 << 15, height <= 1 << 15 else {
      throw MediaError(
        .conversionFailed, "The picture can't be given in the size that was asked for. Ask for a smaller one.")
    }
    let result = try PixelBuffers.empty(kCVPixelFormatType_32BGRA, width: width, height: height)
    let signal = try SignalPlanes(picture, width: width, height: height)
    guard CVPixelBufferLockBaseAddress(result, []) == kCVReturnSuccess,
      let base = CVPixelBufferGetBaseAddress(result)
    else { throw .outOfMemory }
    defer { _ = CVPixelBufferUnlockBaseAddress(result, []) }
    let rowBytes = CVPixelBufferGetBytesPerRow(result)
    let row = RangeRow(RangeTables.of(picture.format.color))
    for y in 0..<height {
      row.map(signal, y, to: (base + y * rowBytes).assumingMemoryBound(to: UInt8.self))
    }
    return result
  }
}

/// A picture's Y′, C′B and C′R with 16 bits each, and what they mean.
struct SignalPlanes {
  private let box: FrameBox
  let width: Int
  let offset: (luma: Float, chroma: Float)
  let scale: (luma: Float, chroma: Float)
  /// R′ and B′ by C′R and C′B, and G′ by both (H.273).
  let red: Float
  let blue: Float
  let green: (byBlue: Float, byRed: Float)

  init(_ picture: FramePicture, width: Int, height: Int) throws(MediaError) {
    guard let box = FrameBox() else { throw .outOfMemory }
    self.box = box
    self.width = width
    let frame = box.frame
    frame.pointee.format = AV_PIX_FMT_YUV444P16LE.rawValue
    frame.pointee.width = Int32(width)
    frame.pointee.height = Int32(height)
    guard av_frame_get_buffer(frame, 0) >= 0 else { throw .outOfMemory }
    var color = picture.format.color
    if !(1...10).contains(color.matrix) || color.matrix == 2 || color.matrix == 8 {
      // Not stated, or RGB, which is made Y′C′BC′R here.
      color.matrix = color.primaries == 12 && !color.isHighDynamicRange ? 1 : 9
    }
    let (planes, lines) = (frame.pointee.data, frame.pointee.linesize)
    try Scaler.convert(
      picture.box.frame, color: color, planes: [planes.0, planes.1, planes.2, nil],
      strides: [lines.0, lines.1, lines.2, 0], format: AV_PIX_FMT_YUV444P16LE, isFullRange: color.isFullRange,
      width: Int32(width), height: Int32(height))
    let (kr, kb) = Self.weights(color.matrix)
    if color.isFullRange {
      let most = Float(Self.greatest(picture.format.bitDepth))
      offset = (0, 32_768)
      scale = (1 / most, 1 / most)
    } else {
      offset = (4_096, 32_768)
      scale = (1 / (219 * 256), 1 / (224 * 256))
    }
    red = Float(2 * (1 - kr))
    blue = Float(2 * (1 - kb))
    green = (Float(2 * kb * (1 - kb) / (1 - kr - kb)), Float(2 * kr * (1 - kr) / (1 - kr - kb)))
  }

  func row(_ plane: Int, _ y: Int) -> UnsafePointer<UInt16>? {
    guard let base = ImageBytes.plane(box.frame, plane) else { return nil }
    return UnsafeRawPointer(base + y * ImageBytes.stride(box.frame, plane)).assumingMemoryBound(to: UInt16.self)
  }

  /// A full code of so many bits at the upper end of 16.
  private static func greatest(_ depth: Int) -> Int {
    let depth = min(max(depth, 8), 16)
    return ((1 << depth) - 1) << (16 - depth)
  }

  private static func weights(_ matrix: Int) -> (kr: Double, kb: Double) {
    switch matrix {
    case 1: (0.2126, 0.0722)
    case 4: (0.30, 0.11)
    case 5, 6: (0.299, 0.114)
    case 7: (0.212, 0.087)
    default: (0.2627, 0.0593)
    }
  }
}

/// The work on one row of pixels.
struct RangeRow {
  private let tables: RangeTables

  init(_ tables: RangeTables) { self.tables = tables }

  func map(_ signal: SignalPlanes, _ y: Int, to target: UnsafeMutablePointer<UInt8>) {
    guard let luma = signal.row(0, y), let first = signal.row(1, y), let second = signal.row(2, y) else { return }
    tables.light.withUnsafeBufferPointer { light in
      tables.system.withUnsafeBufferPointer { system in
        tables.tone.withUnsafeBufferPointer { tone in
          tables.gamut.withUnsafeBufferPointer { gamut in
            tables.code.withUnsafeBufferPointer { code in
              let lookup = Lookup(
                light: light, system: system, tone: tone, toneScale: tables.toneScale, gamut: gamut, code: code)
              for x in 0..<signal.width {
                let brightness = (Float(luma[x]) - signal.offset.luma) * signal.scale.luma
                let towardBlue = (Float(first[x]) - signal.offset.chroma) * signal.scale.chroma
                let towardRed = (Float(second[x]) - signal.offset.chroma) * signal.scale.chroma
                lookup.map(
                  brightness + signal.red * towardRed,
                  brightness - signal.green.byBlue * towardBlue - signal.green.byRed * towardRed,
                  brightness + signal.blue * towardBlue, to: target + 4 * x)
              }
            }
          }
        }
      }
    }
  }

  private struct Lookup {
    let light: UnsafeBufferPointer<Float>
    let system: UnsafeBufferPointer<Float>
    let tone: UnsafeBufferPointer<Float>
    let toneScale: Float
    let gamut: UnsafeBufferPointer<Float>
    let code: UnsafeBufferPointer<UInt8>

    @inline(__always)
    func map(_ red: Float, _ green: Float, _ blue: Float, to pixel: UnsafeMutablePointer<UInt8>) {
      var (r, g, b) = (linear(red), linear(green), linear(blue))
      if !system.isEmpty {
        let luminance = 0.2627 * r + 0.6780 * g + 0.0593 * b
        let factor = system[min(Int(luminance.squareRoot() * Float(RangeTables.steps) + 0.5), RangeTables.steps)]
        (r, g, b) = (r * factor, g * factor, b * factor)
      }
      if !tone.isEmpty {
        let brightest = max(r, g, b)
        let place = min(brightest.squareRoot() * toneScale, Float(RangeTables.steps) - 1)
        let index = Int(place)
        let factor = tone[index] + (tone[index + 1] - tone[index]) * (place - Float(index))
        (r, g, b) = (r * factor, g * factor, b * factor)
      }
      pixel[0] = eight(gamut[6] * r + gamut[7] * g + gamut[8] * b)
      pixel[1] = eight(gamut[3] * r + gamut[4] * g + gamut[5] * b)
      pixel[2] = eight(gamut[0] * r + gamut[1] * g + gamut[2] * b)
      pixel[3] = 255
    }

    @inline(__always)
    private func linear(_ signal: Float) -> Float { light[Int(min(max(signal, 0), 1) * 65_535 + 0.5)] }

    @inline(__always)
    private func eight(_ light: Float) -> UInt8 {
      code[Int(min(max(light, 0), 1) * Float(RangeTables.codeSteps) + 0.5)]
    }
  }
}
