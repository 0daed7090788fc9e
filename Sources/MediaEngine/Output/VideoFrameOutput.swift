package import CoreMedia
internal import MediaRuntime

/// A place where an item's pictures can be had: one per `AVPlayerItemVideoOutput`, view, terminal or capture.
///
/// Frames are shared with the decoder and with other outputs, never copied. All members may be used from any thread.
package final class VideoFrameOutput: Sendable {
  package enum Kind: Hashable, Sendable {
    /// Shows the frame of a moment; frames whose time has passed are forgotten.
    case pull
    /// Gets every frame in order, for tests and conformance; decoding waits when `limit` frames are untaken.
    case everyFrame(limit: Int)
  }

  package let kind: Kind

  /// Frames ahead of the clock plus the one being shown that an output holds at most; beyond it the oldest goes.
  static let pullLimit = 16

  private let state = Lock(State())
  private let live = LiveObject(.videoOutput)

  fileprivate struct State {
    /// Ascending in `from`; of the sources only.
    var entries: [Entry] = []
    /// The items that the output was added to and not taken from since.
    var sources: [ItemID] = []
    var handlers = Handlers()
    var lastTaken: UInt64 = 0
    var serial: UInt64 = 0
    /// The owner's wish to hear when the next frame comes.
    var wantsAvailability = false
    /// Whose frame is wanted then; nil for any item's.
    var awaited: ItemID?
    /// The pipeline waits for room here (`everyFrame`).
    var roomHandler: (@Sendable () -> Void)?
    var hasEnded = false
  }

  fileprivate struct Entry {
    var frame: VideoFrame
    /// Item time from which it is to be shown: its own, or the earlier target of a seek that landed on it.
    var from: CMTime
    var item: ItemID
    var serial: UInt64
  }

  fileprivate struct Handlers {
    var onFlush: (@Sendable () -> Void)?
    var onDataAvailable: (@Sendable () -> Void)?
    var onFrameDue: (@Sendable (VideoFrame) -> Void)?
  }

  package init(_ kind: Kind = .pull) {
    self.kind = kind
  }

  // MARK: For the owner

  /// Called outside locks, on an engine queue, `onFlush` also on the thread that takes the output from its item.
  /// - Parameters:
  ///   - onFlush: what was to come is void: a seek, another direction, another item.
  ///   - onDataAvailable: a frame came after `requestAvailability`; for `everyFrame` outputs, after each frame.
  ///   - onFrameDue: this frame's time has come (`pull`), in real time while playing and after each landed seek.
  package func setHandlers(
    onFlush: (@Sendable () -> Void)? = nil, onDataAvailable: (@Sendable () -> Void)? = nil,
    onFrameDue: (@Sendable (VideoFrame) -> Void)? = nil
  ) {
    state.withLock {
      $0.handlers = Handlers(onFlush: onFlush, onDataAvailable: onDataAvailable, onFrameDue: onFrameDue)
    }
  }

  /// Whether the frame to show at an item time has not been taken from this output yet.
  package func hasNewFrame(at itemTime: CMTime) -> Bool {
    state.withLock { state in
      guard let entry = state.entry(at: itemTime) else { return false }
      return entry.serial > state.lastTaken
    }
  }

  /// The frame to show at an item time, nil before the first one. Marks it as taken.
  package func frame(at itemTime: CMTime) -> VideoFrame? {
    state.withLock { state in
      guard let entry = state.entry(at: itemTime) else { return nil }
      state.lastTaken = max(state.lastTaken, entry.serial)
      return entry.frame
    }
  }

  /// The frame to show at a time of one item: after another item came, frames of the old one stay until it lets go.
  package func frame(at itemTime: CMTime, of item: ItemID) -> VideoFrame? {
    state.withLock { state in
      guard itemTime.isNumeric, let entry = state.entries.last(where: { $0.item == item && $0.from <= itemTime }) else {
        return nil
      }
      state.lastTaken = max(state.lastTaken, entry.serial)
      return entry.frame
    }
  }

  /// The oldest untaken frame (`everyFrame`).
  package func takeNext() -> VideoFrame? {
    let (frame, room) = state.withLock { state -> (VideoFrame?, (@Sendable () -> Void)?) in
      guard !state.entries.isEmpty else { return (nil, nil) }
      let room = state.roomHandler
      state.roomHandler = nil
      return (state.entries.removeFirst().frame, room)
    }
    room?()
    return frame
  }

  /// Asks for one `onDataAvailable` when the next frame arrives, of any item or of one.
  package func requestAvailability(of item: ItemID? = nil) {
    let handler = state.withLock { state -> (@Sendable () -> Void)? in
      let hasUntaken = state.entries.contains { entry in
        entry.serial > state.lastTaken && (item == nil || entry.item == item)
      }
      state.awaited = item
      state.wantsAvailability = !hasUntaken
      return hasUntaken ? state.handlers.onDataAvailable : nil
    }
    handler?()
  }

  /// Times from which the frames held are to be shown, ascending.
  package var window: [CMTime] { state.withLock { $0.entries.map(\.from) } }

  /// Every frame was delivered and the media has ended.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  // MARK: For the item

  /// From now on this item's frames are taken.
  package func join(_ item: ItemID) {
    state.withLock { state in
      if !state.sources.contains(item) { state.sources.append(item) }
    }
  }

  /// This item's frames are taken no more, whatever its pipeline is still about to put, and those held are forgotten.
  /// - Returns: tells those concerned: to be called outside locks. Nil when the item was no source.
  func leave(_ item: ItemID) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let tell = state.forget(item)
      state.sources.removeAll { $0 == item }
      return tell
    }
  }

  // MARK: For the pipeline. Whatever comes from an item that is no source has no effect.

  var takesEveryFrame: Bool { kind != .pull }

  /// False when an `everyFrame` output is full: `whenRoom` is called once there is room again.
  func hasRoom(whenRoom: @escaping @Sendable () -> Void) -> Bool {
    guard case .everyFrame(let limit) = kind else { return true }
    return state.withLock { state in
      guard state.entries.count >= max(limit, 1) else { return true }
      state.roomHandler = whenRoom
      return false
    }
  }

  func put(_ frame: VideoFrame, from: CMTime, of item: ItemID) {
    let limit = kind == .pull ? Self.pullLimit : Int.max
    let everyFrame = takesEveryFrame
    let handler = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.sources.contains(item) else { return nil }
      state.serial &+= 1
      state.hasEnded = false
      state.entries.append(Entry(frame: frame, from: from, item: item, serial: state.serial))
      if state.entries.count > limit { state.entries.removeFirst() }
      let isAwaited = state.wantsAvailability && (state.awaited == nil || state.awaited == item)
      guard everyFrame || isAwaited else { return nil }
      state.wantsAvailability = false
      return state.handlers.onDataAvailable
    }
    handler?()
  }

  /// The frame of this time is the one to show now: older ones are forgotten.
  func present(_ frame: VideoFrame, at time: CMTime, of item: ItemID) {
    let handler = state.withLock { state -> (@Sendable (VideoFrame) -> Void)? in
      guard state.sources.contains(item) else { return nil }
      if kind == .pull, let index = state.index(at: time), index > 0 { state.entries.removeFirst(index) }
      return state.handlers.onFrameDue
    }
    handler?(frame)
  }

  /// While time goes backward: this frame is the one to show from now on, in place of all others of the item.
  ///
  /// An `everyFrame` output gets it behind the others, as long as there is room: time does not wait for it.
  func presentBackward(_ frame: VideoFrame, of item: ItemID) {
    let handlers = state.withLock { state -> (Handlers, isAwaited: Bool)? in
      guard state.sources.contains(item) else { return nil }
      if case .everyFrame(let limit) = kind {
        guard state.entries.count < max(limit, 1) else { return nil }
      } else {
        state.entries.removeAll { $0.item == item }
      }
      state.serial &+= 1
      state.hasEnded = false
      state.entries.append(Entry(frame: frame, from: frame.time, item: item, serial: state.serial))
      let isAwaited = state.wantsAvailability && (state.awaited == nil || state.awaited == item)
      if isAwaited { state.wantsAvailability = false }
      return (state.handlers, isAwaited || takesEveryFrame)
    }
    guard let (handlers, isAwaited) = handlers else { return }
    if isAwaited { handlers.onDataAvailable?() }
    if !takesEveryFrame { handlers.onFrameDue?(frame) }
  }

  /// The frames of this item are void.
  func flush(of item: ItemID) {
    let tell = state.withLock { $0.forget(item) }
    tell?()
  }

  /// The last frame of this item was put.
  func end(of item: ItemID) {
    let handler = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.sources.contains(item) else { return nil }
      state.hasEnded = true
      return takesEveryFrame ? state.handlers.onDataAvailable : nil
    }
    handler?()
  }
}

extension VideoFrameOutput.State {
  /// - Returns: tells the owner, and whoever waits for room; nil when the item is no source.
  fileprivate mutating func forget(_ item: ItemID) -> (@Sendable () -> Void)? {
    guard sources.contains(item) else { return nil }
    entries.removeAll { $0.item == item }
    hasEnded = false
    let (flushed, room) = (handlers.onFlush, roomHandler)
    roomHandler = nil
    return {
      flushed?()
      room?()
    }
  }

  fileprivate func index(at time: CMTime) -> Int? {
    guard time.isNumeric else { return nil }
    return entries.lastIndex { $0.from <= time }
  }

  fileprivate func entry(at time: CMTime) -> VideoFrameOutput.Entry? {
    index(at: time).map { entries[$0] }
  }
}
