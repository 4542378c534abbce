#if canImport(XCTest)
  public import XCTest

  /// A test case whose tests each have a sandbox of their own.
  open class SandboxTestCase: XCTestCase {
    /// That of the test that runs.
    public private(set) var sandbox: Sandbox!

    /// The time at which the clock is frozen, such as `2026-01-05T12:00:00Z`; nil lets it run.
    open var clock: String? { nil }

    /// The seed of ids, codes and keys; 1 by default.
    open var seed: Int? { nil }

    open override func setUp() async throws {
      try await super.setUp()
      sandbox = try await Ringfence.shared.sandbox(clock: clock, seed: seed)
      try await Trial(sandbox: sandbox, name: name).begin()
    }

    open override func tearDown() async throws {
      if let sandbox {
        let outcome: Sandbox.Outcome = (testRun?.totalFailureCount ?? 0) > 0 ? .failed : .passed
        await Trial(sandbox: sandbox, name: name).end(outcome, print: Trial.print)
      }
      sandbox = nil
      try await super.tearDown()
    }
  }
#endif
