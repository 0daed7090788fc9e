public import CoreMedia
public import Foundation
import MediaEngine
import MediaRuntime

/// A sound file, read or written in linear samples. Used by one thread at a time; calls wait for the disk.
///
/// Errors have the domain `com.apple.coreaudio.avfaudio` and a sentence that says what to do.
open class AVAudioFile: NSObject {
  public let url: URL
  /// As the sound stands in the file.
  public let fileFormat: AVAudioFormat
  /// As the sound comes into buffers and is given in them.
  public let processingFormat: AVAudioFormat

  private enum Role {
    case reading(SoundReader, any Scheduler)
    case writing(any SoundFileWriter)
    case closed
  }

  private var role: Role
  private var position: AVAudioFramePosition = 0
  private var knownLength: AVAudioFramePosition?

  /// Opens a file for reading, as 32-bit floats with each channel by itself.
  public convenience init(forReading fileURL: URL) throws {
    try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Opens a file for reading.
  public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
    let environment = EngineEnvironment.forNewObjects
    let reader: SoundReader
    do throws(MediaError) {
      reader = try SoundReader.open(fileURL, in: environment)
    } catch {
      throw error.audioError(AudioErrorDomain.audio, call: "ExtAudioFileOpenURL")
    }
    url = fileURL
    fileFormat = reader.appleFormat
    processingFormat = try Self.processing(reader.processingLayout, format, interleaved)
    role = .reading(reader, environment.scheduler)
    knownLength = reader.statedLength
    super.init()
  }

  /// Creates a file, or writes over one; what it is to be its name's ending and the settings say. Buffers have 32-bit
  /// floats with each channel by itself.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Creates a file, or writes over one; what it is to be its name's ending and the settings say.
  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat, interleaved: Bool
  ) throws {
    do throws(MediaError) {
      let wanted = try SoundFileFormat(url: fileURL, settings: settings)
      role = .writing(try SoundFileWriters.open(fileURL, wanted, survivesKill: false))
      fileFormat = wanted.audioFormat
      let layout = (Double(wanted.sampleRate), wanted.channelCount, wanted.layout)
      url = fileURL
      do {
        processingFormat = try Self.processing(layout, format, interleaved)
      } catch {
        throw MediaError.writingUnsupported("Buffers need one of the common formats.")
      }
    } catch {
      throw error.audioError(AudioErrorDomain.audio, call: "ExtAudioFileCreateWithURL")
    }
    super.init()
  }

  deinit { close() }

  private static func processing(
    _ sound: (rate: Double, channels: Int, layout: AVAudioChannelLayout?), _ format: AVAudioCommonFormat,
    _ interleaved: Bool
  ) throws -> AVAudioFormat {
    if sound.channels > 2, let layout = sound.layout, format != .otherFormat {
      return AVAudioFormat(
        commonFormat: format, sampleRate: sound.rate, interleaved: interleaved, channelLayout: layout)
    }
    guard
      let made = AVAudioFormat(
        commonFormat: format, sampleRate: sound.rate, channels: AVAudioChannelCount(clamping: sound.channels),
        interleaved: interleaved)
    else { throw NSError.audioParameter("Buffers of a file need one of the common formats, such as pcmFormatFloat32.") }
    return made
  }

  /// Whether it can still be read from or written to.
  open var isOpen: Bool { if case .closed = role { false } else { true } }

  /// Completes a file that was written, and lets go of it. Happens by itself when the object goes.
  open func close() {
    if case .writing(let writer) = role {
      do throws(MediaError) { try writer.finish() } catch { Log.app.warning("\(error)") }
    }
    role = .closed
  }

  /// Frames in all: priming and padding are not counted. Where the container does not count them, the first look
  /// decodes the whole file.
  open var length: AVAudioFramePosition {
    if let knownLength { return knownLength }
    switch role {
    case .writing(let writer): return max(writer.frameCount, position)
    case .closed: return position
    case .reading(let reader, let scheduler):
      let counted = try? Self.count(reader, scheduler)
      knownLength = counted ?? position
      return knownLength ?? 0
    }
  }

  private static func count(_ reader: SoundReader, _ scheduler: any Scheduler) throws(MediaError) -> Int64 {
    while true {
      let isAtEnd = try reader.wait("count sound", scheduler) { reader throws(MediaError) in
        for _ in 0..<64 where try reader.read(1 << 20).isEmpty { return true }
        return false
      }
      if isAtEnd { return reader.position }
    }
  }

  /// The frame that is read next; when writing, how many there are.
  /// - Precondition: it is not set while writing, nor to less than 0.
  open var framePosition: AVAudioFramePosition {
    get { position }
    set {
      if case .writing = role { AudioMisuse.failed("a file that is read, for a position to be set") }
      AudioMisuse.check(newValue >= 0, "a position of at least 0")
      position = newValue
    }
  }

  /// Fills a buffer from `framePosition` on. Fewer frames than it has room for come at the end, and none behind it.
  /// - Precondition: the buffer has the processing format.
  open func read(into buffer: AVAudioPCMBuffer) throws { try read(into: buffer, frameCount: buffer.frameCapacity) }

  /// Fills a buffer from `framePosition` on with at most so many frames.
  /// - Precondition: the buffer has the processing format.
  open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
    AudioMisuse.check(buffer.format == processingFormat, "a buffer of the file's processing format")
    guard case .reading(let reader, let scheduler) = role, let planes = buffer.planes else {
      throw NSError.audioParameter("The file is not open for reading.")
    }
    buffer.frameLength = 0
    let wanted = Int(min(frames, buffer.frameCapacity))
    var filled = 0
    while filled < wanted {
      let (place, most) = (position, wanted - filled)
      let samples: [Float]
      do throws(MediaError) {
        samples = try reader.wait("read sound", scheduler) { reader throws(MediaError) in
          try reader.seek(to: place)
          return try reader.gather(most)
        }
      } catch {
        // What came before is the buffer's; the error comes with the next call.
        if filled > 0 { break }
        throw error.audioError(AudioErrorDomain.audio, call: "ExtAudioFileRead")
      }
      let count = samples.count / reader.format.channelCount
      guard count > 0 else {
        // By now the end is known.
        if position <= knownLength ?? .max { knownLength = position }
        break
      }
      samples.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        SamplePlanes(
          interleaved: UnsafeMutableRawPointer(mutating: base), format: .float32,
          channelCount: reader.format.channelCount
        ).copy(to: planes.advanced(by: filled), frames: count)
      }
      filled += count
      position += AVAudioFramePosition(count)
      buffer.frameLength = AVAudioFrameCount(filled)
    }
  }

  /// Appends a buffer's frames.
  /// - Precondition: the buffer has the processing format.
  open func write(from buffer: AVAudioPCMBuffer) throws {
    AudioMisuse.check(buffer.format == processingFormat, "a buffer of the file's processing format")
    guard case .writing(let writer) = role, let planes = buffer.planes else {
      throw NSError.audioParameter("The file is not open for writing.")
    }
    do throws(MediaError) {
      try writer.write(planes, frames: Int(buffer.frameLength))
    } catch {
      position = writer.frameCount
      throw error.audioError(AudioErrorDomain.audio, call: "ExtAudioFileWrite")
    }
    position += AVAudioFramePosition(buffer.frameLength)
  }
}

extension SoundReader {
  /// The track's format in Apple's words.
  var appleFormat: AVAudioFormat {
    if let description = track.formatDescription, description.audioStreamBasicDescription != nil {
      return AVAudioFormat(cmAudioFormatDescription: description)
    }
    return AVAudioFormat(
      known: .linearPCM(
        sampleRate: Double(format.sampleRate), channels: UInt32(clamping: format.channelCount), bytes: 4, isFloat: true),
      nil, nil)
  }

  /// Rate, channels and what these are for.
  var processingLayout: (rate: Double, channels: Int, layout: AVAudioChannelLayout?) {
    let known = ManagedAudioChannelLayout(channelMask: format.channelMask, channelCount: format.channelCount)
    let order = ManagedAudioChannelLayout(
      tag: kAudioChannelLayoutTag_DiscreteInOrder | AudioChannelLayoutTag(clamping: format.channelCount))
    return (Double(format.sampleRate), format.channelCount, AVAudioChannelLayout(known ?? order))
  }

  /// Several blocks at once: waiting for each costs more than decoding it.
  func gather(_ most: Int) throws(MediaError) -> [Float] {
    var samples = try read(min(most, 1 << 16))
    let enough = min(most, 16_384) * format.channelCount
    while !samples.isEmpty, samples.count < enough {
      let more = try read(min(most - samples.count / format.channelCount, 1 << 16))
      if more.isEmpty { break }
      samples += more
    }
    return samples
  }
}
