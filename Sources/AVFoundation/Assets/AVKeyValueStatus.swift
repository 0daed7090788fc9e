/// Whether a property's value is available.
public enum AVKeyValueStatus: Int, Sendable {
  case unknown = 0
  case loading = 1
  case loaded = 2
  case failed = 3
  case cancelled = 4
}
