import CoreMedia

/// Host time in seconds. Virtual time under test.
public func CACurrentMediaTime() -> CFTimeInterval {
  Double(HostTimeSources.nanoseconds) / 1_000_000_000
}
