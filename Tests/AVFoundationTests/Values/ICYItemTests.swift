import Foundation
import MediaEngine
import Testing

@testable import AVFoundation

/// What radio stations say of the song, as apps read it.
@Suite struct ICYItemTests {
  @Test func itemsOfABlock() {
    let block = ICYMetadata(block: "StreamTitle='Artist - Song';StreamUrl='https://radio.example';".utf8)
    let items = block.entries.map { AVMetadataItem($0) }
    let all: [AVMetadataIdentifier?] = [.icyMetadataStreamTitle, .icyMetadataStreamURL]
    #expect(items.map(\.identifier) == all)
    #expect(items.allSatisfy { $0.keySpace == .icy && $0.dataType == "com.apple.metadata.datatype.UTF-8" })
    #expect(items.map(\.stringValue) == ["Artist - Song", "https://radio.example"])
    let titles = AVMetadataItem.metadataItems(from: items, filteredByIdentifier: .icyMetadataStreamTitle)
    #expect(titles.map(\.commonKey) == [.commonKeyTitle])
  }
}
