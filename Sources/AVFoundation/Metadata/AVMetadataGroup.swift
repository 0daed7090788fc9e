public import CoreMedia
public import Foundation

/// Metadata items that belong together.
open class AVMetadataGroup: NSObject {
  open var items: [AVMetadataItem] { groupItems }
  /// What the author says the group is for.
  open var classifyingLabel: String? { nil }
  open var uniqueID: String? { nil }

  var groupItems: [AVMetadataItem]

  init(groupItems: [AVMetadataItem]) {
    self.groupItems = groupItems
  }
}

/// Metadata for a stretch of media time, such as a chapter.
open class AVTimedMetadataGroup: AVMetadataGroup, NSCopying, NSMutableCopying {
  var range: CMTimeRange

  public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
    range = timeRange
    super.init(groupItems: items)
  }

  open var timeRange: CMTimeRange { range }

  open func copy(with zone: NSZone? = nil) -> Any { AVTimedMetadataGroup(items: items, timeRange: timeRange) }

  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    AVMutableTimedMetadataGroup(items: items, timeRange: timeRange)
  }
}

/// A timed group that can be changed.
open class AVMutableTimedMetadataGroup: AVTimedMetadataGroup {
  open override var timeRange: CMTimeRange {
    get { range }
    set { range = newValue }
  }

  open override var items: [AVMetadataItem] {
    get { groupItems }
    set { groupItems = newValue }
  }
}

/// Metadata for a stretch of calendar time.
open class AVDateRangeMetadataGroup: AVMetadataGroup, NSCopying {
  /// Where the stretch begins.
  public let startDate: Date
  /// Nil while its end is not known.
  public let endDate: Date?

  public init(items: [AVMetadataItem], start startDate: Date, end endDate: Date?) {
    self.startDate = startDate
    self.endDate = endDate
    super.init(groupItems: items)
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
}
