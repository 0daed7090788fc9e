package import MediaEngine
package import MediaRuntime

extension Log {
  package static let audio = Log("audio")
}

/// Makes sinks by policy: the sound server in production, nothing or a file where asked.
package final class AudioSinks: AudioSinkFactory {
  package enum Output: Hashable, Sendable {
    /// The sound server; without one, silence in real time and a warning.
    case server
    /// Silence in the scheduler's time.
    case null
    /// What would be heard, into a WAV file.
    case wave(path: String)

    /// From a command line's word: `server`, `null`, `wav:FILE`; nil for anything else.
    package init?(_ text: String) {
      switch text {
      case "server": self = .server
      case "null": self = .null
      default:
        guard text.hasPrefix("wav:"), text.count > 4 else { return nil }
        self = .wave(path: String(text.dropFirst(4)))
      }
    }
  }

  package let output: Output
  private let address: String?
  private let server = Lock<PulseServer?>(nil)

  /// - Parameter address: a sound server's address as libpulse takes it; nil: the user's own.
  package init(_ output: Output = .server, address: String? = nil) {
    self.output = output
    self.address = address
  }

  /// One connection for all sinks; made with the first.
  private func server(_ scheduler: any Scheduler) -> PulseServer {
    server.withLock { server in
      if let server { return server }
      let new = PulseServer(scheduler: scheduler, address: address)
      server = new
      return new
    }
  }

  package func sink(
    preferred: AudioDeviceFormat, device: String?, mode: AudioLatencyMode, scheduler: any Scheduler
  ) -> any AudioSink {
    let format = Self.format(for: preferred)
    switch output {
    case .server where !scheduler.isVirtual:
      return PulseSink(
        server: server(scheduler), format: format, device: device, mode: mode, scheduler: scheduler)
    case .server, .null: return SilentSink.make(format: format, mode: mode, scheduler: scheduler)
    case .wave(let path):
      do throws(MediaError) {
        return try WAVCaptureSink(path: path, format: format, mode: mode, scheduler: scheduler)
      } catch {
        Log.audio.error("\(error)")
        OpenCaptures.failed(error)
        let sink = SilentSink.make(format: format, mode: mode, scheduler: scheduler)
        sink.send(.deviceLost(error))
        return sink
      }
    }
  }

  /// Always stereo, since a sink outlives items and two loudspeakers are what nearly everyone has (the engine mixes
  /// down); the first item's rate where a server takes it without converting, else 48 kHz.
  static func format(for preferred: AudioDeviceFormat) -> AudioDeviceFormat {
    let rates = [32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000]
    let rate = rates.contains(preferred.sampleRate) ? preferred.sampleRate : 48_000
    return AudioDeviceFormat(sampleRate: rate, channelCount: 2, channelMask: 0x3)
  }
}
