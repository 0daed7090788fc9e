import MediaRuntime
import Observation

/// Whether Swift's own observation works on players, items and their tracks: all of a process or none.
enum ObservationSwitch {
  private struct State: Sendable {
    var isOn = false
    /// The first object has been made: too late to change.
    var isFixed = false
  }

  private static let state = Lock(State())

  static var isOn: Bool { state.withLock { $0.isOn } }

  /// False when it is too late.
  static func set(_ isOn: Bool) -> Bool {
    state.withLock { state in
      guard !state.isFixed || state.isOn == isOn else { return false }
      state.isOn = isOn
      return true
    }
  }

  /// For an object that is being made: what it reports to, nil when observation is off.
  static func registrar() -> ObservationRegistrar? {
    let isOn = state.withLock { state in
      state.isFixed = true
      return state.isOn
    }
    return isOn ? ObservationRegistrar() : nil
  }
}
