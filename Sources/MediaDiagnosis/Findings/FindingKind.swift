/// The findings that there are. The raw value is a finding's stable name; `Docs/Doctor.md` lists them.
package enum FindingKind: String, CaseIterable, Sendable {
  // The file.
  case missing
  case noPermission = "no-permission"
  case isFolder = "is-folder"
  case notAFile = "not-a-file"
  case empty
  case badAddress = "bad-address"
  case readFailed = "read-failed"
  case changedWhileRead = "changed-while-read"

  // The container.
  case webPage = "web-page"
  case playlist
  case archive
  case containerUnknown = "container-unknown"
  case containerDamaged = "container-damaged"
  case containerErrors = "container-errors"
  case truncated
  case indexMissing = "index-missing"
  case loneSegment = "lone-segment"
  case initOnly = "init-only"
  case noTracks = "no-tracks"
  case protected
  case wrongExtension = "wrong-extension"
  case wrongDuration = "wrong-duration"
  case indexAtEnd = "index-at-end"
  case largeIndex = "large-index"

  // The tracks.
  case wideInterleave = "wide-interleave"
  case emptyTrack = "empty-track"
  case noPicture = "no-picture"
  case noSound = "no-sound"
  case startsApart = "starts-apart"
  case endsApart = "ends-apart"
  case timesMissing = "times-missing"
  case timesBack = "times-back"
  case timesDuplicate = "times-duplicate"
  case timesGap = "times-gap"
  case timesNegative = "times-negative"
  case variableFrameRate = "variable-frame-rate"
  case noKeyframes = "no-keyframes"
  case lateKeyframe = "late-keyframe"
  case rareKeyframes = "rare-keyframes"

  // Codecs.
  case codecUnknown = "codec-unknown"
  case noDecoder = "no-decoder"
  case decoderRefuses = "decoder-refuses"
  case nothingDecoded = "nothing-decoded"
  case decodeErrors = "decode-errors"
  case damagedPackets = "damaged-packets"

  // What is heard.
  case silentSound = "silent-sound"

  // This machine.
  case outOfMemory = "out-of-memory"
  case notExamined = "not-examined"
}

extension FindingKind {
  package var severity: Finding.Severity {
    switch self {
    case .indexAtEnd, .largeIndex, .noPicture, .noSound, .startsApart, .endsApart, .variableFrameRate, .rareKeyframes,
      .silentSound:
      .note
    case .containerErrors, .wrongExtension, .wrongDuration, .wideInterleave, .emptyTrack, .timesMissing, .timesBack,
      .timesDuplicate, .timesGap, .timesNegative, .noKeyframes, .lateKeyframe, .decodeErrors, .damagedPackets,
      .notExamined:
      .warning
    case .missing, .noPermission, .isFolder, .notAFile, .empty, .badAddress, .readFailed, .changedWhileRead, .webPage,
      .playlist, .archive, .containerUnknown, .containerDamaged, .truncated, .indexMissing, .loneSegment, .initOnly,
      .noTracks, .protected, .codecUnknown, .noDecoder, .decoderRefuses, .nothingDecoded, .outOfMemory:
      .fault
    }
  }

  package var layer: Finding.Layer {
    switch self {
    case .missing, .noPermission, .isFolder, .notAFile, .empty, .badAddress, .readFailed, .changedWhileRead: .file
    case .webPage, .playlist, .archive, .containerUnknown, .containerDamaged, .containerErrors, .truncated,
      .indexMissing, .loneSegment, .initOnly, .noTracks, .protected, .wrongExtension, .wrongDuration, .indexAtEnd,
      .largeIndex:
      .container
    case .wideInterleave, .emptyTrack, .noPicture, .noSound, .startsApart, .endsApart, .timesMissing, .timesBack,
      .timesDuplicate, .timesGap, .timesNegative, .variableFrameRate, .noKeyframes, .lateKeyframe, .rareKeyframes:
      .track
    case .codecUnknown, .noDecoder, .decoderRefuses, .nothingDecoded, .decodeErrors, .damagedPackets: .codec
    case .silentSound: .content
    case .outOfMemory, .notExamined: .machine
    }
  }

  /// What it means, for the table in `Docs/Doctor.md`.
  package var meaning: String {
    switch self {
    case .missing: "There is no file of that name."
    case .noPermission: "The file is there, but this user may not read it."
    case .isFolder: "The name is a folder's."
    case .notAFile: "The name is a device's, a socket's or a terminal's."
    case .empty: "The file has no bytes."
    case .badAddress: "The address can't be one of a local file."
    case .readFailed: "The system gave an error while the file was read."
    case .changedWhileRead: "The file was written over, replaced or cut while it was read."
    case .webPage: "The file is a web page, often an error page that was saved under a film's name."
    case .playlist: "The file is a list of other media."
    case .archive: "The file is an archive or a document."
    case .containerUnknown: "The content is no container that is known here."
    case .containerDamaged: "The container can't be opened, or not be read to its end."
    case .containerErrors: "The container is damaged in places; reading goes on behind them."
    case .truncated: "The file ends before its own index or header says."
    case .indexMissing: "A movie ends before its index (`moov`)."
    case .loneSegment: "A segment of a stream (`moof`) without its initialisation part."
    case .initOnly: "The initialisation part of a stream without any segment."
    case .noTracks: "Nothing in the container can be played."
    case .protected: "A track is encrypted (`encv`, `enca`, `drms`)."
    case .wrongExtension: "The name's extension is another container's."
    case .wrongDuration: "The media lasts longer or shorter than the header says."
    case .indexAtEnd: "The index (`moov`) stands behind the samples: fine on a disk, slow from a server."
    case .largeIndex: "The index is larger than 8 MiB: nothing can be shown before all of it is loaded."
    case .wideInterleave:
      "Picture and sound of one moment lie more than 2 MiB apart in the file, or more than 3 s of one come before the other."
    case .emptyTrack: "A track has no samples."
    case .noPicture: "A film's container without a picture."
    case .noSound: "A film's container without sound."
    case .startsApart: "Picture and sound begin more than 0.1 s apart."
    case .endsApart: "Picture and sound end more than 1 s apart."
    case .timesMissing: "Some samples of a track have no time."
    case .timesBack: "A track's decoding times jump back."
    case .timesDuplicate: "Samples of one track have the same time."
    case .timesGap:
      "A track has nothing for a while: sound for more than 0.1 s, a picture of a steady rate for more than 1 s."
    case .timesNegative: "Samples lie before the beginning."
    case .variableFrameRate: "The pictures' durations vary."
    case .noKeyframes: "A video track has no key frame."
    case .lateKeyframe: "A video track does not begin with a key frame."
    case .rareKeyframes: "Key frames lie more than 12 s apart: every jump decodes so much."
    case .codecUnknown: "The codec's code means nothing to FFmpeg."
    case .noDecoder: "FFmpeg knows the codec, but has no decoder for it here."
    case .decoderRefuses: "The decoder does not take the track."
    case .nothingDecoded: "The track has samples, and none could be decoded."
    case .decodeErrors: "Parts of a track are damaged: the decoder left them out or made something up."
    case .damagedPackets: "The container shows that parts of samples are missing."
    case .silentSound: "A whole sound track stays below −80 dB. Many films have such a track by intent."
    case .outOfMemory: "There is not enough memory to go on."
    case .notExamined: "The examination was ended by its own limits of time or samples."
    }
  }

  /// What to do. A finding may know better.
  package var remedy: String {
    switch self {
    case .missing: "Check the name and the folder."
    case .noPermission: "Change its permissions (chmod), or run as a user who may read it."
    case .isFolder: "Name one of the files in it."
    case .notAFile: "Name a media file."
    case .empty: "Fetch it again: its download or copy did not begin, or failed."
    case .badAddress: "Give the path of a file."
    case .readFailed: "Check the disk, or the mount that it lies on, and copy the file elsewhere."
    case .changedWhileRead: "Run this again when the file is complete."
    case .webPage: "Open the address in a browser, sign in or follow its link, and fetch the media itself."
    case .playlist: "Open the media that it names."
    case .archive: "Unpack it, and open the media inside."
    case .containerUnknown: "Check that it is the right file, and fetch it again."
    case .containerDamaged: "Fetch the file again. What can be read is saved by: ffmpeg -i IN -c copy OUT.mkv"
    case .containerErrors: "Fetch the file again, or write it anew: ffmpeg -i IN -c copy OUT.mkv"
    case .truncated: "Fetch it again: its download or copy did not finish. What is there plays."
    case .indexMissing:
      "Fetch it again. A recording that was broken off can only be mended with the help of a whole one of the same camera."
    case .loneSegment:
      "Open the stream's playlist, or put the initialisation part before it: cat init.mp4 seg.m4s >OUT.mp4"
    case .initOnly: "Open the stream's playlist, or put the segments behind it: cat init.mp4 seg*.m4s >OUT.mp4"
    case .noTracks: "Check that it is the right file."
    case .protected: "Play it in the shop's own program, or get a copy without protection."
    case .wrongExtension: "Rename the file: some players and all servers go by the name."
    case .wrongDuration: "Write the header anew: ffmpeg -i IN -c copy OUT"
    case .indexAtEnd:
      "Before it goes on a server, move the index to the front: ffmpeg -i IN -c copy -movflags +faststart OUT.mp4"
    case .largeIndex:
      "For a server, write it in fragments: ffmpeg -i IN -c copy -movflags +frag_keyframe+empty_moov OUT.mp4"
    case .wideInterleave: "Have the tracks interleaved: ffmpeg -i IN -c copy OUT.mp4"
    case .emptyTrack: "Leave the track out, or make the file again from its source."
    case .noPicture: "Nothing, if it is meant to be sound alone; else make the file again with its picture."
    case .noSound: "Nothing, if it is meant to be silent; else make the file again with its sound."
    case .startsApart:
      "Nothing, if picture and sound fit; else shift one of them: ffmpeg -i IN -itsoffset SECONDS -i IN -map 0:v -map 1:a -c copy OUT"
    case .endsApart: "Nothing, if it is meant to be so; else make the file again from its source."
    case .timesMissing: "Write the times anew: ffmpeg -fflags +genpts -i IN -c copy OUT.mkv"
    case .timesBack:
      "Recordings that were put together need one line of time: ffmpeg -i IN -c:v libx264 -c:a aac OUT.mp4"
    case .timesDuplicate: "Write the times anew, pictures at a steady rate: ffmpeg -i IN -fps_mode cfr OUT.mp4"
    case .timesGap:
      "If something is missing there, fetch or record it again; sound is filled up by: ffmpeg -i IN -c:v copy -af aresample=async=1 OUT"
    case .timesNegative: "Let the times begin at zero: ffmpeg -i IN -c copy -avoid_negative_ts make_zero OUT"
    case .variableFrameRate:
      "Nothing, for playing; an editor may want a steady rate: ffmpeg -i IN -fps_mode cfr OUT.mp4"
    case .noKeyframes: "Encode it anew: ffmpeg -i IN OUT.mp4"
    case .lateKeyframe: "Nothing to be done about the lost beginning; cut it off: ffmpeg -ss SECONDS -i IN -c copy OUT"
    case .rareKeyframes: "For quick jumps encode it with more key frames: ffmpeg -i IN -c:a copy -g 250 OUT.mp4"
    case .codecUnknown: "Convert it on the system that made it, or ask where it comes from for another format."
    case .noDecoder: "Convert it with a program that has a decoder, to H.264 and AAC."
    case .decoderRefuses: "Fetch the file again; if it stays so, convert it with the program that made it."
    case .nothingDecoded: "Fetch the file again; if it stays so, make it again from its source."
    case .decodeErrors: "Fetch the file again; if it stays so, the damage is in the original."
    case .damagedPackets: "Fetch or record it again: bytes were lost on the way (bad reception, a full buffer)."
    case .silentSound:
      "If there should be sound, choose another track, or make the file again: its input was silent or muted."
    case .outOfMemory: "Close other programs, or examine the file on a larger machine."
    case .notExamined: "Examine a part of the file, or be content with what was seen."
    }
  }
}
