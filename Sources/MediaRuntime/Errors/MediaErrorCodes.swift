extension MediaError.Code {
  // 0xxx any stage
  package static let outOfMemory = MediaError.Code(1, "out of memory")

  // 1xxx source
  package static let sourceMissing = MediaError.Code(1001, "source missing")
  package static let sourceEmpty = MediaError.Code(1002, "source empty")
  package static let sourceUnreadable = MediaError.Code(1003, "source unreadable")
  package static let sourceIsFolder = MediaError.Code(1004, "source is a folder")
  package static let sourceChanged = MediaError.Code(1005, "source changed while in use")
  package static let sourceReadFailed = MediaError.Code(1006, "source read failed")
  package static let addressMalformed = MediaError.Code(1007, "address malformed")
  package static let addressUnsupported = MediaError.Code(1008, "address not supported")
  /// Not a failure: a newer operation took the place of the one that threw it.
  package static let interrupted = MediaError.Code(1009, "interrupted")

  // 3xxx container
  package static let containerUnknown = MediaError.Code(3001, "container not recognised")
  package static let containerDamaged = MediaError.Code(3002, "container damaged")
  package static let containerTruncated = MediaError.Code(3003, "container truncated")
  package static let containerIndexMissing = MediaError.Code(3004, "container index missing")
  package static let containerLoneSegment = MediaError.Code(3005, "lone segment without its init")
  package static let containerNoTracks = MediaError.Code(3006, "no playable track")
  package static let contentProtected = MediaError.Code(3007, "content protected")
  package static let containerInterleaveTooWide = MediaError.Code(3008, "tracks too far apart in the file")
  package static let seekFailed = MediaError.Code(3009, "seek failed")
  package static let subtitlesUnknown = MediaError.Code(3010, "subtitles not recognised")
  package static let subtitlesTooLarge = MediaError.Code(3011, "subtitles too large")
  package static let containerInitOnly = MediaError.Code(3012, "initialisation part alone")

  // 4xxx decode
  package static let decoderMissing = MediaError.Code(4001, "decoder missing")
  package static let decodeFailed = MediaError.Code(4002, "decode failed")
  package static let decoderOpenFailed = MediaError.Code(4003, "decoder did not open")
  package static let conversionFailed = MediaError.Code(4004, "conversion failed")
  package static let imageMissing = MediaError.Code(4005, "no picture at that time")

  // 5xxx output, and the devices that sound comes from
  package static let outputLost = MediaError.Code(5001, "output lost")
  package static let outputUnavailable = MediaError.Code(5002, "output unavailable")
  package static let textUndrawable = MediaError.Code(5003, "text of subtitles can't be drawn")
  package static let inputUnavailable = MediaError.Code(5004, "input unavailable")
  package static let inputLost = MediaError.Code(5005, "input lost")

  // 8xxx writing
  package static let writeFailed = MediaError.Code(8001, "write failed")
  package static let diskFull = MediaError.Code(8002, "disk full")
  package static let encoderMissing = MediaError.Code(8003, "encoder missing")
  package static let encodeFailed = MediaError.Code(8004, "encode failed")
  /// A file or settings that can't be written as asked for.
  package static let writingUnsupported = MediaError.Code(8005, "writing not supported")
}
