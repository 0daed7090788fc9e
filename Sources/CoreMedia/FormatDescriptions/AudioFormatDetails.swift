/// The audio part of a format description, in memory whose addresses Apple's C functions may hand out.
final class AudioFormatDetails {
  let stream: AudioStreamBasicDescription
  let layout: ManagedAudioChannelLayout?
  let magicCookie: Data?
  let formats: [AudioFormatListItem]

  let streamPointer: UnsafeMutablePointer<AudioStreamBasicDescription>
  let layoutBytes: UnsafeMutableRawBufferPointer?
  let cookieBytes: UnsafeMutableRawBufferPointer?
  let formatPointer: UnsafeMutablePointer<AudioFormatListItem>

  init(stream: AudioStreamBasicDescription, layout: ManagedAudioChannelLayout?, magicCookie: Data?) {
    self.stream = stream
    self.layout = layout
    self.magicCookie = magicCookie?.isEmpty == false ? magicCookie : nil
    formats = [AudioFormatListItem(mASBD: stream, mChannelLayoutTag: layout?.tag ?? kAudioChannelLayoutTag_Unknown)]
    streamPointer = .allocate(capacity: 1)
    streamPointer.initialize(to: stream)
    formatPointer = .allocate(capacity: 1)
    formatPointer.initialize(to: formats[0])
    layoutBytes = layout.map { layout in
      let bytes = UnsafeMutableRawBufferPointer.allocate(
        byteCount: layout.sizeInBytes, alignment: MemoryLayout<AudioChannelLayout>.alignment)
      layout.withUnsafePointer {
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: $0, count: layout.sizeInBytes))
      }
      return bytes
    }
    cookieBytes = self.magicCookie.map { cookie in
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: cookie.count, alignment: 16)
      bytes.copyBytes(from: cookie)
      return bytes
    }
  }

  deinit {
    streamPointer.deallocate()
    formatPointer.deallocate()
    layoutBytes?.deallocate()
    cookieBytes?.deallocate()
  }
}

extension AudioFormatDetails: Hashable {
  static func == (left: AudioFormatDetails, right: AudioFormatDetails) -> Bool {
    left.stream == right.stream && left.layout == right.layout && left.magicCookie == right.magicCookie
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(stream)
    hasher.combine(layout)
  }
}
