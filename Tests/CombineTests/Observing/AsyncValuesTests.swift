import Combine
import Testing

@Suite struct AsyncValuesTests {
  @Test func valuesAreAskedForOneByOne() async {
    var seen: [Int] = []
    var requests: [Subscribers.Demand] = []
    for await value in (1...3).publisher.handleEvents(receiveRequest: { requests.append($0) }).values {
      seen.append(value)
    }
    #expect(seen == [1, 2, 3])
    #expect(requests.allSatisfy { $0 == .max(1) })
  }

  @Test func failuresAreThrownBehindTheValues() async {
    var seen: [Int] = []
    await #expect(throws: TestError.first) {
      for try await value in [1, 2].publisher.setFailureType(to: TestError.self).append(
        Fail(error: TestError.first)
      ).values {
        seen.append(value)
      }
    }
    #expect(seen == [1, 2])
  }

  @Test func leavingTheLoopCancels() async {
    var isCancelled = false
    for await value in (1...9).publisher.handleEvents(receiveCancel: { isCancelled = true }).values where value == 2 {
      break
    }
    #expect(isCancelled)
  }

  @Test func cancellingTheTaskEndsTheLoop() async {
    let subject = PassthroughSubject<Int, Never>()
    let (stream, begun) = AsyncStream<Void>.makeStream()
    let task = Task {
      var count = 0
      let values = subject.handleEvents(receiveRequest: { _ in begun.yield() }).values
      for await _ in values { count += 1 }
      return count
    }
    for await _ in stream { break }
    task.cancel()
    let count = await task.value
    #expect(count == 0)
  }

  @Test func aFutureIsAwaited() async throws {
    let value = await Future<Int, Never> { $0(.success(4)) }.value
    #expect(value == 4)
    await #expect(throws: TestError.second) { _ = try await Future<Int, TestError> { $0(.failure(.second)) }.value }
  }
}
