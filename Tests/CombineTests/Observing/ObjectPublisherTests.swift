import AVFoundation
import Combine
import Foundation
import Testing

@Suite struct ObjectPublisherTests {
  @Test func aPlayersPropertyIsPublished() {
    let player = AVPlayer()
    let recorder = Recorder<Float, Never>()
    player.publisher(for: \.volume).subscribe(recorder)
    player.volume = 0.5
    player.volume = 0.25
    #expect(recorder.history == [.subscription, .value(1), .value(0.5), .value(0.25)])
    recorder.cancel()
    player.volume = 1
    #expect(recorder.values.count == 3)
  }

  @Test func optionsAreAsWithObserve() {
    let player = AVPlayer()
    let plain = Recorder<Bool, Never>()
    let prior = Recorder<Bool, Never>()
    player.publisher(for: \.isMuted, options: [.new]).subscribe(plain)
    player.publisher(for: \.isMuted, options: [.prior, .new]).subscribe(prior)
    player.isMuted = true
    #expect(plain.values == [true])
    #expect(prior.values == [false, true])
  }

  @Test func theLatestValueWaitsForADemand() {
    let player = AVPlayer()
    let recorder = Recorder<Float, Never>(.none)
    player.publisher(for: \.volume).subscribe(recorder)
    player.volume = 0.5
    recorder.request(.max(1))
    #expect(recorder.values == [0.5])
    let dropping = Recorder<Float, Never>(.none)
    player.publisher(for: \.volume, options: .new).subscribe(dropping)
    player.volume = 0.75
    dropping.request(.max(1))
    #expect(dropping.values == [])
  }

  @Test func chainsAreFollowed() {
    let layer = AVPlayerLayer()
    let player = AVPlayer()
    let recorder = Recorder<Float?, Never>()
    layer.publisher(for: \.player?.volume).removeDuplicates().subscribe(recorder)
    layer.player = player
    player.volume = 0.5
    layer.player = nil
    player.volume = 0.75
    #expect(recorder.values == [nil, 1, 0.5, nil])
  }

  @Test func aSubscriptionDoesNotKeepThePlayer() {
    weak var gone: AVPlayer?
    let recorder = Recorder<Float, Never>()
    do {
      let player = AVPlayer()
      gone = player
      player.publisher(for: \.volume).subscribe(recorder)
    }
    #expect(gone == nil)
    recorder.cancel()
  }

  @Test func notificationsArePublishedByNameAndObject() {
    let center = NotificationCenter()
    let name = Notification.Name("told")
    let (mine, other) = (NSObject(), NSObject())
    let all = Recorder<String, Never>()
    let one = Recorder<String, Never>()
    let two = Recorder<String, Never>(.max(1))
    let texts: (Notification) -> String = { $0.userInfo?["text"] as? String ?? "" }
    center.publisher(for: name).map(texts).subscribe(all)
    center.publisher(for: name, object: mine).map(texts).subscribe(one)
    center.publisher(for: name).map(texts).subscribe(two)
    center.post(name: name, object: mine, userInfo: ["text": "a"])
    center.post(name: name, object: other, userInfo: ["text": "b"])
    center.post(name: Notification.Name("other"), object: mine)
    #expect(all.values == ["a", "b"])
    #expect(one.values == ["a"])
    #expect(two.values == ["a"])
    all.cancel()
    center.post(name: name, object: mine, userInfo: ["text": "c"])
    #expect(all.values == ["a", "b"])
    #expect(one.values == ["a", "c"])
  }

  @Test func notificationsDoNotKeepTheirObject() {
    let center = NotificationCenter()
    weak var gone: NSObject?
    let recorder = Recorder<String, Never>()
    do {
      let object = NSObject()
      gone = object
      center.publisher(for: Notification.Name("told"), object: object).map(\.name.rawValue).subscribe(recorder)
    }
    #expect(gone == nil)
    recorder.cancel()
  }
}
