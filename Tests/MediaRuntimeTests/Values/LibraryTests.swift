import MediaRuntime
import Testing

@Suite struct LibraryTests {
  @Test func anAbsentLibraryNamesThePackageToInstall() {
    let library = LazyLibrary(
      "libabsent", sonames: ["libabsent.so.7", "libabsent.so.6"], package: "libabsent7", missing: .outputUnavailable)
    let error = #expect(throws: MediaError.self) { try library.open() }
    #expect(error?.code == .outputUnavailable)
    #expect(error?.message.contains("Install the package “libabsent7”") == true)
    #expect(error?.message.contains("libabsent.so.6") == true)
    #expect(!library.isOpen)
  }

  @Test func aLibraryIsOpenedAtFirstUseByTheFirstNameThatExists() throws {
    typealias Cosine = @convention(c) (Double) -> Double
    let library = LazyLibrary("libm", sonames: ["libm.so.99", "libm.so.6"], package: "libc6", missing: .outputLost)
    #expect(!library.isOpen)
    let cosine = try library.symbol("cos", as: Cosine.self)
    #expect(cosine(0) == 1)
    #expect(library.isOpen)
    #expect(MappedLibraries.names.contains { $0.hasPrefix("libm.so") || $0.hasPrefix("libm-") })
  }

  @Test func anAbsentFunctionAsksForANewerVersion() {
    typealias Function = @convention(c) () -> Void
    let library = LazyLibrary("libm", sonames: ["libm.so.6"], package: "libc6", missing: .conversionFailed)
    let error = #expect(throws: MediaError.self) { _ = try library.symbol("no_such_function", as: Function.self) }
    #expect(error?.code == .conversionFailed)
    #expect(error?.message.contains("no_such_function") == true)
  }

  @Test func decodersShareTheThreadBudgetAndThenGetOne() {
    let budget = DecoderThreadBudget(limit: 4)
    let scheduler = RealScheduler.shared
    let first = budget.lease(3, for: scheduler)
    #expect(first.threads == 3)
    // One is left: a decoder with one thread needs none of the budget.
    let second = budget.lease(3, for: scheduler)
    #expect(second.threads == 1)
    #expect(budget.leased == 3)
    do {
      let virtual = VirtualScheduler()
      defer { virtual.shutdown() }
      #expect(DecoderThreadBudget(limit: 4).lease(4, for: virtual).threads == 1)
    }
    #expect(budget.lease(0, for: scheduler).threads == 1)
    #expect(budget.lease(-3, for: scheduler).threads == 1)
    withExtendedLifetime((first, second)) {}
  }

  @Test func aLeaseReturnsItsThreadsWhenItIsLetGo() {
    let budget = DecoderThreadBudget(limit: 4)
    var lease: DecoderThreadBudget.Lease? = budget.lease(9, for: RealScheduler.shared)
    #expect(lease?.threads == 4)
    lease = nil
    #expect(budget.leased == 0)
  }
}
