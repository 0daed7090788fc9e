import MediaRuntime

extension EngineEnvironment {
  /// A driver for one player: the scripted one if there is one, else the pipeline.
  func driver(_ events: @escaping DriverEventHandler) -> any PlaybackDriver {
    if let makeDriver { return makeDriver(self, events) }
    return PipelineDriver(environment: self, onEvent: events)
  }
}
