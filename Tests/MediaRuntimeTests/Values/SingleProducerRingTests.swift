import Foundation
import MediaRuntime
import Testing

@Suite struct SingleProducerRingTests {
  @Test func itTakesWhatFitsAndGivesWhatIsThere() {
    let ring = SingleProducerRing<Float>(capacity: 5)
    #expect(ring.capacity == 8)
    let samples: [Float] = (0..<10).map(Float.init)
    #expect(samples.withUnsafeBufferPointer(ring.write) == 8)
    #expect(ring.writable == 0)
    #expect(!ring.push(99))
    #expect(ring.readable == 8)
    #expect(ring.first == 0)
    #expect(ring.skip(3) == 3)
    var target = [Float](repeating: -1, count: 6)
    #expect(target.withUnsafeMutableBufferPointer { ring.read(into: $0) } == 5)
    #expect(target == [3, 4, 5, 6, 7, -1])
    #expect(ring.pop() == nil)
    #expect(ring.first == nil)
    #expect(ring.written == 8 && ring.consumed == 8)
  }

  @Test func writesAndReadsWrapAround() {
    let ring = SingleProducerRing<UInt8>(capacity: 4)
    var expected: UInt8 = 0
    var next: UInt8 = 0
    for round in 0..<1000 {
      let count = round % 5
      let bytes = (0..<count).map { next &+ UInt8($0) }
      next &+= UInt8(bytes.withUnsafeBufferPointer(ring.write))
      for _ in 0..<(round % 3 + 1) {
        guard let byte = ring.pop() else { break }
        #expect(byte == expected)
        expected &+= 1
      }
    }
    #expect(Int(ring.written) - Int(ring.consumed) == ring.readable)
  }

  @Test func emptyTransfersDoNothing() {
    let ring = SingleProducerRing<Int>(capacity: 2)
    #expect(ring.write(UnsafeBufferPointer(start: nil, count: 0)) == 0)
    #expect(ring.read(into: UnsafeMutableBufferPointer(start: nil, count: 0)) == 0)
    #expect(ring.skip(-1) == 0)
    #expect(ring.skip(5) == 0)
  }

  @Test func twoThreadsPassADescriptorStreamWithoutLossOrReordering() {
    struct Descriptor: BitwiseCopyable {
      var number: Int
      var check: Int
    }
    let ring = SingleProducerRing<Descriptor>(capacity: 64)
    let count = 40_000
    let writer = Thread {
      var number = 0
      while number < count {
        if ring.push(Descriptor(number: number, check: ~number)) { number += 1 }
      }
    }
    writer.start()
    var wrong = 0
    var number = 0
    while number < count {
      guard let descriptor = ring.pop() else { continue }
      if descriptor.number != number || descriptor.check != ~number { wrong += 1 }
      number += 1
    }
    #expect(wrong == 0)
  }

  @Test func twoThreadsPassBlocksOfSamples() {
    let ring = SingleProducerRing<Float>(capacity: 512)
    let total = 60_000
    let writer = Thread {
      var sent = 0
      while sent < total {
        let block = (0..<min(100, total - sent)).map { Float(sent + $0) }
        var rest = block[...]
        while !rest.isEmpty { rest = rest.dropFirst(rest.withUnsafeBufferPointer(ring.write)) }
        sent += block.count
      }
    }
    writer.start()
    var wrong = 0
    var received = 0
    var buffer = [Float](repeating: 0, count: 130)
    while received < total {
      let count = buffer.withUnsafeMutableBufferPointer { ring.read(into: $0) }
      for index in 0..<count where buffer[index] != Float(received + index) { wrong += 1 }
      received += count
    }
    #expect(wrong == 0)
  }
}
