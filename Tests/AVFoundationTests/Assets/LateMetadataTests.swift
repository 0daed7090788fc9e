import AVFoundation
import Foundation
import MediaRuntime
import Testing

/// Metadata items whose values their app makes when they are wanted.
@Suite struct LateMetadataTests {
  /// Used by one thread.
  private final class Requests {
    var all: [AVMetadataItemValueRequest] = []
  }

  private func template() -> AVMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = .commonIdentifierArtwork
    item.value = "the template's" as NSString
    return item
  }

  @Test func aValueThatIsGivenLaterCompletesAllWhoLoadIt() async throws {
    let requests = Requests()
    let item = AVMetadataItem(propertiesOf: template()) { requests.all.append($0) }
    #expect(item.identifier == .commonIdentifierArtwork)
    #expect(item.statusOfValue(forKey: "value", error: nil) == .unknown)
    #expect(item.statusOfValue(forKey: "extraAttributes", error: nil) == .loaded)
    #expect(item.value == nil)
    #expect(item.statusOfValue(forKey: "stringValue", error: nil) == .loading)
    let copy = try #require(item.copy() as? AVMetadataItem)
    let mutable = try #require(item.mutableCopy() as? AVMutableMetadataItem)
    let told = Lock(0)
    for one in [item, copy, mutable] {
      one.loadValuesAsynchronously(forKeys: ["value", "time"]) { told.withLock { $0 += 1 } }
    }
    #expect(told.withLock { $0 } == 0)
    #expect(requests.all.count == 1)
    #expect(requests.all.last?.metadataItem === item)
    requests.all.last?.respond(value: "7" as NSString)
    requests.all.last?.respond(value: "8" as NSString)
    #expect(told.withLock { $0 } == 3)
    #expect(try await item.load(.numberValue) == 7)
    #expect(copy.stringValue == "7" && mutable.stringValue == "7")
    mutable.value = "mine" as NSString
    #expect(mutable.stringValue == "mine" && item.stringValue == "7")
  }

  @Test func anAnswerInTheHandlerIsThereAtOnce() {
    let item = AVMetadataItem(propertiesOf: template()) { $0.respond(value: "here" as NSString) }
    #expect(item.stringValue == "here")
  }

  @Test func aRefusalIsThrown() async {
    let item = AVMetadataItem(propertiesOf: template()) { request in
      request.respond(error: NSError(domain: "refused", code: 5))
    }
    let error = await #expect(throws: NSError.self) { _ = try await item.load(.stringValue) }
    #expect(error?.domain == "refused" && error?.code == 5)
    #expect(item.statusOfValue(forKey: "value", error: nil) == .failed)
    #expect(item.value == nil)
  }

  private struct Refusal: LocalizedError, CustomNSError {
    static let errorDomain = "refusals"
    let errorCode = 8
    var errorUserInfo: [String: Any] { ["key": 1] }
    let errorDescription: String? = "No."
    let recoverySuggestion: String? = "Ask again."
  }

  private enum Plain: Error { case fault }

  @Test func anyErrorsDomainNumberAndTextsAreKept() async {
    func thrown(_ error: any Error) async -> NSError? {
      let item = AVMetadataItem(propertiesOf: template()) { $0.respond(error: error) }
      return await #expect(throws: NSError.self) { _ = try await item.load(.stringValue) }
    }
    let timeout = await thrown(URLError(.timedOut))
    #expect(timeout?.domain == NSURLErrorDomain && timeout?.code == NSURLErrorTimedOut)
    let refusal = await thrown(Refusal())
    #expect(refusal?.domain == "refusals" && refusal?.code == 8 && refusal?.userInfo["key"] as? Int == 1)
    #expect(refusal?.localizedDescription == "No." && refusal?.localizedRecoverySuggestion == "Ask again.")
    let plain = await thrown(Plain.fault)
    #expect(plain?.localizedDescription == "fault" && plain?.domain.hasSuffix("Plain") == true)
  }

  @Test func aRequestThatIsLetGoOfFailsInsteadOfHanging() async {
    let item = AVMetadataItem(propertiesOf: template()) { _ in }
    let error = await #expect(throws: NSError.self) { _ = try await item.load(.value) }
    #expect(error?.domain == AVFoundationErrorDomain)
  }
}
