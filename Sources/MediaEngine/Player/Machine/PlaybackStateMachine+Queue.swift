import MediaRuntime

extension PlaybackStateMachine {
  mutating func replaceCurrent(_ seed: ItemSeed?) {
    guard let seed else { return removeAll() }
    guard items[seed.id] == nil else { return }
    if let current = state.current { remove(current) }
    add(seed, at: 0)
  }

  mutating func insert(_ seed: ItemSeed, after: ItemID?) {
    guard items[seed.id] == nil else { return }
    let position = after.flatMap { state.queue.firstIndex(of: $0) }.map { $0 + 1 }
    add(seed, at: position ?? state.queue.count)
  }

  private mutating func add(_ seed: ItemSeed, at position: Int) {
    var item = MachineItem(seed)
    if item.phase == .failed {
      complete(seed.startSeek?.completion, false)
    } else if let start = seed.startSeek, let target = Self.numericTarget(start.target) {
      let request = SeekRequest(
        id: SeekID(nextNumber()), target: target, toleranceBefore: start.toleranceBefore,
        toleranceAfter: start.toleranceAfter)
      item.seek = PendingSeek(request: request, completion: start.completion, isStart: true)
    } else {
      complete(seed.startSeek?.completion, false)
    }
    items[seed.id] = item
    state.queue.insert(seed.id, at: min(max(position, 0), state.queue.count))
  }

  mutating func remove(_ id: ItemID) {
    guard let position = state.queue.firstIndex(of: id), let item = items[id] else { return }
    state.queue.remove(at: position)
    complete(item.seek?.completion, false)
    if item.isAttached { detaching.append(id) }
    items[id] = nil
    changedItems.removeAll { $0 == id }
    act(.released(id, item.values, unlanded: item.seek.flatMap { $0.isStep ? nil : $0.request.command }))
    if position == 0 { leaveCurrentItem() }
  }

  mutating func removeAll() {
    while let last = state.queue.last { remove(last) }
  }

  /// What belonged to the item that was current a moment ago.
  private mutating func leaveCurrentItem() {
    endPreroll(false)
    playsThroughSeek = false
    isStartShown = false
    synchronizedStart = nil
    setEvaluation(.none)
  }

  /// A failed item is no obstacle in a queue that advances.
  mutating func passOverFailedItems() {
    while state.actionAtItemEnd == .advance, state.queue.count > 1, let item = currentItem, item.phase == .failed {
      remove(item.id)
    }
  }

  /// The item that the sound and picture may go over to: failed ones are passed over before their turn.
  var following: ItemID? { state.queue.dropFirst().first { items[$0]?.phase != .failed } }

  /// Tells the driver what the queue has become: loads the current item and the one that follows, lets go of those that
  /// left.
  mutating func settleQueue() {
    for id in [state.current, following].compactMap({ $0 }) { attach(id) }
    let current = currentItem.flatMap { $0.phase == .failed ? nil : $0.id }
    var upcoming: [ItemID] = []
    if current != nil, state.actionAtItemEnd == .advance, let next = following, items[next]?.isAttached == true {
      upcoming = [next]
    }
    if current != driverCurrent || isDriverAstray {
      haltTransport()
      act(.driver(.setCurrent(current, upcoming: upcoming)))
      act(.observe(.jumped))
    } else if upcoming != driverUpcoming {
      act(.driver(.setCurrent(current, upcoming: upcoming)))
    }
    isDriverAstray = false
    driverCurrent = current
    driverUpcoming = upcoming
    for id in detaching { act(.driver(.detach(id))) }
    detaching = []
  }

  private mutating func attach(_ id: ItemID) {
    guard var item = items[id], item.phase == .waiting else { return }
    item.phase = .loading
    var configuration = item.configuration
    configuration.startSeek = item.seek?.request
    items[id] = item
    act(.driver(.attach(id, configuration)))
  }
}
