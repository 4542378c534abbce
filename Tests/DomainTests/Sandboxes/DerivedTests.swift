import Basics
import Support
import Testing

@testable import Domain

@Suite("Domain · caches of rows")
struct DerivedTests {
  private let world: World
  private var sandbox: Sandbox { world.sandbox }

  init() throws {
    world = try World()
    registry.derived = .init()
  }

  private var registry: SandboxRegistry { sandbox.shared.credentials.registry }

  @Test("a failed request that has changed no credential leaves all of them in the cache")
  func rollbackOfOtherRows() throws {
    #expect(throws: TestError.self) {
      try sandbox.atomically {
        _ = try sandbox.accounts.find("AC1", of: "acme")
        throw TestError()
      }
    }

    #expect(registry.derived.credentials != nil)
  }

  @Test("a failed request leaves nothing in any cache")
  func rollback() throws {
    let before = caches

    #expect(throws: TestError.self) {
      try sandbox.atomically {
        try fillCaches()
        for (name, contents) in caches { #expect(contents != before[name], "fillCaches() must fill \(name)") }
        throw TestError()
      }
    }

    #expect(caches == before)
  }

  @Test("a failed commit leaves nothing in any cache")
  func failedCommit() throws {
    let before = caches

    try sandbox.atomically { try fillCaches() }
    world.breakNextCommit()
    #expect(throws: (any Error).self) { try world.sandboxes.commit() }

    #expect(caches == before)
  }

  /// Each field of the sandbox's and the registry's caches, as `dump` prints it.
  private var caches: [String: String] {
    let fields =
      Array(Mirror(reflecting: sandbox.derived).children)
      + Array(Mirror(reflecting: registry.derived).children)
    let texts = fields.compactMap { field in
      guard let name = field.label, name != "sandbox", !(field.value is Wakeups) else {
        return nil as (String, String)?
      }
      var text = ""
      dump(field.value, to: &text)
      return (name, text)
    }
    return Dictionary(uniqueKeysWithValues: texts)
  }

  private func fillCaches() throws {
    try world.start()
    try sandbox.set(clock: .real)
    try sandbox.set(entropySeed: 7)
    _ = try sandbox.hasRequestRules
    _ = try sandbox.failures
    for kind in RuleKinds.all { _ = try kind.count(in: sandbox) }
    _ = try sandbox.webhooks.isReordered(to: "http://127.0.0.1:9")
    _ = try sandbox.tasks.current
    _ = try world.sandboxes.workshops.all
    _ = try sandbox.records.read("a", in: .init(provider: "acme", kind: "thing")) { $0.record }
    let item = RecordStore.Item(ordinal: sandbox.nextOrdinal(), key: "a", record: "{}")
    try sandbox.records.add(item, of: "ann", in: .init(provider: "acme", kind: "thing"), keeping: 5)
    _ = try sandbox.records.read("b", in: .init(provider: "acme", kind: "thing")) { $0.record }
    _ = try sandbox.records.all(.init(provider: "acme", kind: "thing"), of: "ann") { $0.record }
    _ = try sandbox.records.oldest(.init(provider: "acme", kind: "thing"), of: "ann")
    let device = try sandbox.devices.register(.init(provider: "acme", holder: "ann", app: "app"))
    _ = try sandbox.devices.find(ordinal: device.ordinal)
    _ = sandbox.records.body(of: world, with: world, for: "AC1", at: "http://127.0.0.1") { [1] }
    _ = try Relay().start([(.sms, 60)], in: sandbox)
    _ = try sandbox.messages.latest(.init())
    _ = try sandbox.accounts.find("AC1", of: "acme")
    let credential = Credential(provider: "acme", name: "AC2", secret: "key", account: "AC2")
    #expect(try sandbox.accounts.register(credential))
    sandbox.accounts.remember("someone", signedInWith: [1, 2, 3], of: "acme")
    try sandbox.webhooks.enqueue(.acme(), dueAt: TestSandbox.start + .seconds(5))
    #expect(try !sandbox.webhooks.isReady)
    try sandbox.webhooks.render()
  }
}
