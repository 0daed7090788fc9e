public import AVFoundation

extension PlaybackSnapshot {
  /// Asks a player how it is. Never waits.
  /// - Parameters:
  ///   - hostTime: seconds of a clock that goes on, such as `CACurrentMediaTime()`.
  ///   - layer: where the picture is to be seen; nil for nowhere.
  ///   - wantsView: whether the picture is to be seen in a layer at all.
  @MainActor
  public init(_ player: AVPlayer, at hostTime: Double, layer: AVPlayerLayer? = nil, wantsView: Bool) {
    self.init()
    self.hostTime = hostTime
    self.wantsView = wantsView
    playerStatus =
      switch player.status {
      case .readyToPlay: .readyToPlay
      case .failed: .failed
      default: .unknown
      }
    playerFailure = player.error.map { Failure($0) }
    control =
      switch player.timeControlStatus {
      case .playing: .playing
      case .waitingToPlayAtSpecifiedRate: .waiting
      default: .paused
      }
    waitingReason = player.reasonForWaitingToPlay?.rawValue
    rate = Double(player.rate)
    isMuted = player.isMuted
    volume = Double(player.volume)
    time = Self.seconds(player.currentTime())
    if let layer {
      view = View(
        width: Double(layer.bounds.width), height: Double(layer.bounds.height), showsPlayer: layer.player === player)
    }
    if let item = player.currentItem { take(item) }
  }

  @MainActor
  private mutating func take(_ item: AVPlayerItem) {
    hasItem = true
    itemStatus =
      switch item.status {
      case .readyToPlay: .readyToPlay
      case .failed: .failed
      default: .unknown
      }
    itemFailure = item.error.map { Failure($0) }
    loggedFailure = item.errorLog()?.events.last.map {
      Failure(domain: $0.errorDomain, code: $0.errorStatusCode, message: $0.errorComment ?? "")
    }
    droppedPictures = item.accessLog()?.events.last?.numberOfDroppedVideoFrames ?? 0
    duration = Self.seconds(item.duration)
    loadedRanges = item.loadedTimeRanges.compactMap { value in
      let range = value.timeRangeValue
      guard let start = Self.seconds(range.start), let end = Self.seconds(range.end), start <= end else { return nil }
      return start...end
    }
    isBufferEmpty = item.isPlaybackBufferEmpty
    tracks = item.tracks.compactMap { track in
      guard let source = track.assetTrack else { return nil }
      let kind: Track.Kind = source.mediaType == .video ? .video : source.mediaType == .audio ? .audio : .other
      return Track(
        kind: kind, id: Int(source.trackID), isEnabled: track.isEnabled,
        pictureRate: Double(track.currentVideoFrameRate))
    }
  }

  private static func seconds(_ time: CMTime) -> Double? { time.isNumeric ? time.seconds : nil }
}

extension PlaybackSnapshot.Failure {
  /// - Parameter error: what `error` of a player or item gives.
  public init(_ error: any Error) {
    let whole = error as NSError
    let below = whole.userInfo[NSUnderlyingErrorKey] as? NSError
    self.init(
      domain: whole.domain, code: whole.code, message: whole.localizedDescription, underlyingDomain: below?.domain,
      underlyingCode: below?.code)
  }
}
