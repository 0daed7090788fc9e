/// A property of a class whose values can be subscribed to: `$name` is their publisher.
///
/// A new value is sent before the property has it, and the object's `objectWillChange` before that.
@propertyWrapper
public struct Published<Value> {
  private let cell: PublishedCell<Value>

  public init(initialValue: Value) {
    cell = PublishedCell(initialValue)
  }

  public init(wrappedValue: Value) {
    cell = PublishedCell(wrappedValue)
  }

  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { cell.value }
    nonmutating set { cell.set(newValue) }
  }

  /// Sends the present value, and each new one before the property has it.
  public var projectedValue: Publisher {
    get { Publisher(cell: cell) }
    // What `assign(to: &$name)` ends with; the publisher is this property's own.
    nonmutating set {}
  }

  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf, wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].cell.value }
    set { object[keyPath: storageKeyPath].cell.set(newValue) }
  }

  /// The values of one property.
  public struct Publisher: Combine.Publisher {
    public typealias Output = Value
    public typealias Failure = Never

    fileprivate let cell: PublishedCell<Value>

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      cell.hub.attach(subscriber)
    }
  }
}

extension Published: PublishedProperty {
  func tells(_ publisher: ObservableObjectPublisher) { cell.tells(publisher) }
}

/// What a property has and tells; shared by the property and its publishers.
private final class PublishedCell<Value> {
  private struct State {
    /// What the property reads: a value that is just being sent comes behind its sending.
    var value: Value
    var willChange: ObservableObjectPublisher?
    var assignments: [ObjectIdentifier: AnyCancellable] = [:]
  }

  let hub: SubjectHub<Value, Never>
  private let state: Guarded<State>

  init(_ value: Value) {
    hub = SubjectHub("PublishedSubject", latest: value)
    state = Guarded(State(value: value))
  }

  var value: Value { state.withLock { $0.value } }

  func set(_ value: Value) {
    state.withLock { $0.willChange }?.send()
    hub.send(value)
    let before = state.withLock { state in
      let before = state.value
      state.value = value
      return before
    }
    withExtendedLifetime(before) {}
  }

  func tells(_ publisher: ObservableObjectPublisher) {
    let before = state.withLock { state in
      let before = state.willChange
      state.willChange = publisher
      return before
    }
    withExtendedLifetime(before) {}
  }

  func keep(_ assignment: AnyCancellable, of subscriber: AnyObject) {
    state.withLock { $0.assignments[ObjectIdentifier(subscriber)] = assignment }
  }

  func forget(_ subscriber: AnyObject) {
    let freed = state.withLock { $0.assignments.removeValue(forKey: ObjectIdentifier(subscriber)) }
    withExtendedLifetime(freed) {}
  }
}

/// Sets a property, which keeps the subscription for as long as it lives itself.
private final class PublishedSubscriber<Value>: Subscriber, Cancellable {
  typealias Input = Value
  typealias Failure = Never

  private struct State {
    weak var cell: PublishedCell<Value>?
    var upstream: (any Subscription)?
    var isOver = false
  }

  private let state: Guarded<State>

  init(_ cell: PublishedCell<Value>) {
    state = Guarded(State(cell: cell))
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state -> Bool in
      guard !state.isOver, state.upstream == nil else { return false }
      state.upstream = subscription
      return true
    }
    if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    let cell = state.withLock { $0.isOver ? nil : $0.cell }
    cell?.set(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    state.exchange(State(isOver: true)).cell?.forget(self)
  }

  func cancel() {
    state.exchange(State(isOver: true)).upstream?.cancel()
  }
}

extension Publisher where Failure == Never {
  /// Sets a `@Published` property to each value, for as long as the property lives.
  public func assign(to published: inout Published<Output>.Publisher) {
    let cell = published.cell
    let subscriber = PublishedSubscriber(cell)
    cell.keep(AnyCancellable(subscriber), of: subscriber)
    subscribe(subscriber)
    // It may have ended before it was begun.
    if subscriber.isOver { cell.forget(subscriber) }
  }
}
