/// A number of items.
public typealias CMItemCount = Int
/// An index of an item.
public typealias CMItemIndex = Int
/// The number of a track, unique within its asset and persistent in the file.
public typealias CMPersistentTrackID = Int32

/// The track number that no track has.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0
