/// Why something is not seen or heard as it should be.
public enum PlaybackCause: String, Hashable, Codable, Sendable, CaseIterable {
  // The file.
  case fileMissing
  case noPermission
  case fileEmpty
  case fileUnreadable
  case fileTruncated
  case indexMissing
  /// A segment of a stream without its other parts.
  case fileSplit
  case protected
  case notMedia
  case containerUnknown
  case containerDamaged
  case codecMissing
  case damagedMedia
  case indexAtEnd
  case wideInterleave
  case timestamps
  case keyframes

  // The player.
  case noItem
  case paused
  case ended
  case loading
  case waitingForData
  /// It says that it plays, and its time does not go on.
  case timeStands
  case failed

  // The picture.
  case noPictureTrack
  case pictureTrackOff
  case pictureFrozen
  case viewAbsent
  case viewWithoutSize
  case viewOfAnotherPlayer

  // The sound.
  case noSoundTrack
  case soundTrackOff
  case silentTrack
  case muted
  case volumeZero
}

extension PlaybackCause {
  /// What it is, in a sentence.
  public var explanation: String {
    switch self {
    case .fileMissing: "There is no file at this address."
    case .noPermission: "The file may not be read."
    case .fileEmpty: "The file is empty."
    case .fileUnreadable: "The file can't be read."
    case .fileTruncated: "The file ends too early."
    case .indexMissing: "The file ends before its index."
    case .fileSplit: "The file is one part of a stream, without the others."
    case .protected: "The media is encrypted."
    case .notMedia: "The file is no media."
    case .containerUnknown: "The container is not known here."
    case .containerDamaged: "The container is damaged."
    case .codecMissing: "There is no decoder for the media here."
    case .damagedMedia: "The media is damaged."
    case .indexAtEnd: "The index stands at the end of the file: everything is loaded before anything is shown."
    case .wideInterleave: "Picture and sound of one moment lie far apart in the file."
    case .timestamps: "The media's times do not run on."
    case .keyframes: "Key frames are missing, so pictures can't be shown."
    case .noItem: "The player has nothing to play."
    case .paused: "The player is paused."
    case .ended: "The item has been played to its end."
    case .loading: "The item is still being opened."
    case .waitingForData: "The player waits for data."
    case .timeStands: "The player says that it plays, but its time stands."
    case .failed: "The player or its item has failed."
    case .noPictureTrack: "The media has no picture."
    case .pictureTrackOff: "The picture's track is switched off."
    case .pictureFrozen: "Time runs, but the picture stands."
    case .viewAbsent: "Nothing shows the player's picture."
    case .viewWithoutSize: "The view has no size."
    case .viewOfAnotherPlayer: "The view shows another player, or none."
    case .noSoundTrack: "The media has no sound."
    case .soundTrackOff: "All sound tracks are switched off."
    case .silentTrack: "The sound track is silent throughout."
    case .muted: "The player is muted."
    case .volumeZero: "The player's volume is zero."
    }
  }

  /// What to do, in a sentence. A finding about the file may know better.
  public var remedy: String {
    switch self {
    case .fileMissing: "Check the name and the folder."
    case .noPermission: "Change the file's permissions, or let the user choose it again."
    case .fileEmpty, .fileTruncated, .indexMissing: "Fetch the file again: its download or copy did not finish."
    case .fileUnreadable: "Check the disk, or the mount that it lies on."
    case .fileSplit: "Open the stream's playlist, or join its parts."
    case .protected: "Play it in the shop's own program, or get a copy without protection."
    case .notMedia: "Fetch the media itself."
    case .containerUnknown, .codecMissing: "Convert it to MP4 with H.264 and AAC."
    case .containerDamaged, .damagedMedia: "Fetch the file again; if it stays so, the original is damaged."
    case .indexAtEnd: "Move the index to the front (ffmpeg -movflags +faststart)."
    case .wideInterleave: "Write the file anew with its tracks interleaved (ffmpeg -c copy)."
    case .timestamps: "Write the times anew (ffmpeg -fflags +genpts), or encode it anew."
    case .keyframes: "Encode it anew with key frames."
    case .noItem: "Give the player an item."
    case .paused: "Call play()."
    case .ended: "Seek to the start, and play again."
    case .loading: "Wait until the item's status is readyToPlay."
    case .waitingForData: "Wait, or choose a smaller version of the media."
    case .timeStands: "Check that the sound device works; then make a new player."
    case .failed: "Read the error, and make a new item or player."
    case .noPictureTrack, .noSoundTrack: "Nothing, if it is meant to be so; else choose another file."
    case .pictureTrackOff: "Enable the picture's track (AVPlayerItemTrack.isEnabled)."
    case .pictureFrozen: "Seek to where the picture stands; if that does not help, the media is damaged there."
    case .viewAbsent: "Give the player to an AVPlayerLayer or a view, or take its pictures by an output."
    case .viewWithoutSize: "Give the view a size: lay it out before it is shown."
    case .viewOfAnotherPlayer: "Set the view's player to this one."
    case .soundTrackOff: "Enable a sound track (AVPlayerItemTrack.isEnabled)."
    case .silentTrack: "Choose another sound track, if there is one."
    case .muted: "Set isMuted to false."
    case .volumeZero: "Set volume to more than zero."
    }
  }
}
