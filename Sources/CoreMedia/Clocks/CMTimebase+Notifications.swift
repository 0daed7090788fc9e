/// Posted when the product of the rates up to the clock has changed.
public let kCMTimebaseNotification_EffectiveRateChanged: CFString = "EffectiveRateChanged"
/// Posted when time has jumped.
public let kCMTimebaseNotification_TimeJumped: CFString = "TimeJumped"
/// Host time of the change, as `CMTimeCopyAsDictionary` writes it.
public let kCMTimebaseNotificationKey_EventTime: CFString = "EventTime"

extension CMTimebase {
  /// Posts on the calling thread, for this timebase and for all that follow it. The engine calls it after its own changes.
  package func post(rateChanged: Bool, jumped: Bool) {
    let now = CMClock.hostTimeClock.time
    if rateChanged { post(kCMTimebaseNotification_EffectiveRateChanged, now) }
    if jumped { post(kCMTimebaseNotification_TimeJumped, now) }
    guard rateChanged || jumped else { return }
    for follower in followers { follower.post(rateChanged: rateChanged, jumped: jumped) }
  }

  private func post(_ name: CFString, _ time: CMTime) {
    NotificationCenter.default.post(
      name: Notification.Name(name), object: self,
      userInfo: [kCMTimebaseNotificationKey_EventTime: CMTimeCopyAsDictionary(time, allocator: nil) ?? [:]])
  }

  /// Returns after all notifications of earlier changes; they are posted at once, so there is nothing to wait for.
  public func notificationBarrier() {}
}
