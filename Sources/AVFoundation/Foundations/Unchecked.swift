/// Carries a value over to another thread where its owner knows that only one side uses it at a time.
// @unchecked Sendable: each use says why it is safe.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
