/// Gets what a counted device would have let hear: every frame once, in order.
package protocol FrameTaker: AnyObject, Sendable {
  /// Called inside the sink's lock: copy and return.
  /// - Parameter samples: interleaved; nil is silence.
  func take(_ samples: UnsafeBufferPointer<Float>?, frames: Range<Int64>)
  /// Nothing more comes.
  func finish()
}
