import Combine
import Testing

@Suite struct OnlookerTests {
  private final class Lines: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
  }

  @Test func printSaysWhatPasses() {
    let lines = Lines()
    let recorder = Recorder<Int, Never>(.max(2))
    recorder.answer = .max(1)
    (1...2).publisher.print("numbers", to: lines).subscribe(recorder)
    #expect(
      lines.text == """
        numbers: receive subscription: (Sequence)
        numbers: request max: (2)
        numbers: receive value: (1)
        numbers: request max: (1) (synchronous)
        numbers: receive value: (2)
        numbers: request max: (1) (synchronous)
        numbers: receive finished

        """)
    let other = Lines()
    let token = PassthroughSubject<Int, TestError>().print(to: other).sink(
      receiveCompletion: { _ in }, receiveValue: { _ in })
    token.cancel()
    #expect(
      other.text == """
        receive subscription: (PassthroughSubject)
        request unlimited
        receive cancel

        """)
  }

  @Test func handleEventsIsToldBeforeDownstream() {
    var seen: [String] = []
    let probe = Probe<Int, TestError>()
    let recorder = Recorder<Int, TestError>(.max(1))
    recorder.onValue = { _, value in seen.append("downstream \(value)") }
    probe.handleEvents(
      receiveSubscription: { _ in seen.append("subscription") }, receiveOutput: { seen.append("value \($0)") },
      receiveCompletion: { _ in seen.append("end") }, receiveCancel: { seen.append("cancel") },
      receiveRequest: { seen.append("request \($0)") }
    ).subscribe(recorder)
    probe.send(1)
    recorder.cancel()
    #expect(seen == ["subscription", "request max(1)", "value 1", "downstream 1", "cancel"])
  }
}
