public import CoreMedia
public import Foundation

/// A piece of a track's edit list.
// @unchecked Sendable: immutable, and subclasses can't be made outside.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {
  /// From the media's time to the track's.
  public let timeMapping: CMTimeMapping

  init(_ timeMapping: CMTimeMapping) {
    self.timeMapping = timeMapping
  }

  /// Nothing is presented here.
  public var isEmpty: Bool { !timeMapping.source.start.isValid }
}
