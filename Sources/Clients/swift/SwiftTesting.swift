#if canImport(Testing)
  public import Testing

  extension Sandbox {
    @TaskLocal private static var scoped: Sandbox?

    /// The sandbox of the test that runs: of `@Test(.sandbox)` or `withSandbox`.
    public static var current: Sandbox {
      get throws {
        if let scoped { return scoped }
        throw RingfenceError("there is no sandbox here: use @Test(.sandbox), @Suite(.sandbox) or withSandbox")
      }
    }

    fileprivate func scope(_ body: @Sendable (Sandbox) async throws -> Void) async throws {
      try await Sandbox.$scoped.withValue(self) { try await body(self) }
    }
  }

  /// Runs a part of a test with a sandbox of its own. The clock runs, unless a time such as
  /// `2026-01-05T12:00:00Z` is given, at which it is frozen. `seed` is that of ids, codes and keys.
  public func withSandbox(
    clock: String? = nil, seed: Int? = nil, _ body: @Sendable (Sandbox) async throws -> Void
  ) async throws {
    guard let test = Test.current else {
      return try await run("a test", clock, seed, body) { try await $0() }
    }
    try await run(test.displayName ?? test.name, clock, seed, body) { part in
      let (failures, found) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      let noting = IssueHandlingTrait.compactMapIssues { issue in
        if isFailure(issue) { found.yield() }
        return issue
      }
      try await noting.provideScope(for: test, testCase: Test.Case.current, performing: part)
      found.finish()
      if await failures.first(where: { _ in true }) != nil { throw Recorded() }
    }
  }

  /// Stands for issues that the test has recorded.
  private struct Recorded: Error {}

  private func run(
    _ name: String, _ clock: String?, _ seed: Int?, _ body: @Sendable (Sandbox) async throws -> Void,
    by runner: (@Sendable () async throws -> Void) async throws -> Void
  ) async throws {
    let sandbox = try await Ringfence.shared.sandbox(clock: clock, seed: seed)
    let trial = Trial(sandbox: sandbox, name: name)
    try await trial.begin()
    do {
      try await withoutActuallyEscaping(body) { body in
        try await runner { try await sandbox.scope(body) }
      }
    } catch {
      await trial.end(.failed, isExplained: (error as? RingfenceError)?.isExplained ?? false, print: show)
      if error is Recorded { return }
      throw error
    }
    await trial.end(.passed, print: show)
  }

  private func show(_ text: String) {
    Trial.print(text)
    if Test.current != nil { Attachment.record(text, named: "ringfence.txt") }
  }

  private func isFailure(_ issue: Issue) -> Bool {
    #if compiler(>=6.3)
      issue.isFailure
    #else
      true
    #endif
  }

  /// Gives each test, and each of its arguments, a sandbox of its own: `Sandbox.current`.
  public struct SandboxTrait: TestTrait, SuiteTrait, TestScoping {
    let clock: String?
    let seed: Int?

    /// Each test of a suite, not the suite.
    public var isRecursive: Bool { true }

    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      try await withoutActuallyEscaping(function) { function in
        try await withSandbox(clock: clock, seed: seed) { _ in try await function() }
      }
    }
  }

  extension Trait where Self == SandboxTrait {
    public static var sandbox: Self { sandbox() }

    /// With the clock frozen at a time such as `2026-01-05T12:00:00Z`, or with another random seed.
    public static func sandbox(clock: String? = nil, seed: Int? = nil) -> Self {
      SandboxTrait(clock: clock, seed: seed)
    }
  }
#endif
