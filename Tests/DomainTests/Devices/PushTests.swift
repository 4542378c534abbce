import Basics
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · pushes by a gateway", .contract("push-gateway.md 4 and 5"))
struct PushTests {
  let world: World
  var sandbox: Sandbox { world.sandbox }

  init() throws { world = try World() }

  @Test(
    "by default, a token's name decides its state",
    arguments: [
      ("sbx-a", "ok"), ("sbx-a-gone", "unregistered"), ("sbx-a-b-foreign", "mismatch"),
      ("sbx-quota", "quota"),
      ("sbx-a-noapns", "thirdparty"), ("sbx-a-flaky2", "flaky:2"), ("sbx-a-flaky", "ok"),
      ("sbx-a-flaky0", "ok"),
      ("sbx-a-flaky1001", "ok"), ("a-gone", "ok"), ("gone", "ok"), ("sbx-a-gone-b", "ok"),
    ])
  func stateOfName(token: String, state: String) throws {
    #expect(try register(token).tokenState.text == state)
    #expect(TokenState(state)?.text == state)
  }

  @Test(
    "other texts are not a state",
    arguments: ["", "OK", "flaky", "flaky:", "flaky:0", "flaky:x", "flaky:1001", "flaky:+1", "flaky:01"])
  func noState(text: String) {
    #expect(TokenState(text) == nil)
  }

  @Test("a flaky token fails the given number of times and then works")
  func flaky() throws {
    let device = try register("sbx-a-flaky2")

    let met = try (0..<4).map { _ in try sandbox.devices.countPush(to: find("sbx-a-flaky2")).text }

    #expect(met == ["flaky:2", "flaky:1", "ok", "ok"])
    #expect(try find("sbx-a-flaky2").ordinal == device.ordinal)
  }

  @Test("a token finds its device until it is replaced or its app is removed")
  func owners() throws {
    let device = try register("one")
    #expect(try sandbox.devices.owner(ofToken: "one") == .device(find("one")))
    #expect(try sandbox.devices.owner(ofToken: "two") == .nobody)

    let rotated = try sandbox.devices.rotate(device, to: "two")

    #expect(rotated.ordinal == device.ordinal)
    #expect(try sandbox.devices.owner(ofToken: "one") == .former(since: sandbox.clock.now))
    #expect(try find("two").ordinal == device.ordinal)
    try sandbox.devices.remove(rotated)
    #expect(try sandbox.devices.owner(ofToken: "two") == .former(since: sandbox.clock.now))
  }

  @Test("a token belongs to its latest registration")
  func registeredAnew() throws {
    _ = try register("one")
    let again = try register("one")

    #expect(try find("one").ordinal == again.ordinal)
  }

  @Test("a token that a device has left can be registered anew, and that device keeps its new token")
  func leftToken() throws {
    let moved = try sandbox.devices.rotate(register("one"), to: "two")

    let newcomer = try register("one")

    #expect(try sandbox.devices.owner(ofToken: "one") == .device(newcomer))
    #expect(try sandbox.devices.owner(ofToken: "two") == .device(moved))
    #expect(try sandbox.devices.all == [moved, newcomer])
  }

  @Test("pushes to an offline device are held until it is online or they expire")
  func offline() throws {
    let device = try sandbox.devices.change(register("one"), isOnline: false)
    let now = sandbox.clock.now
    try push("early", to: device, until: now + .seconds(60))
    try push("late", to: device, until: now + .seconds(7200))
    try push("never", to: device, until: now)
    try push("unlimited", to: device)
    #expect(try texts() == [])
    try sandbox.advance(by: .seconds(120))

    let online = try sandbox.devices.change(find("one"), isOnline: true)

    #expect(online.draft.isOnline)
    #expect(try texts() == ["late", "unlimited"])
    #expect(try states() == [.expired, .delivered, .expired, .delivered])
  }

  @Test("an online device gets a push with a lifetime of zero at once")
  func nowOrNever() throws {
    try push("now", to: register("one"), until: sandbox.clock.now)

    #expect(try texts() == ["now"])
  }

  @Test("an offline device gets nothing when its handset attaches")
  func offlineOnAttachedHandset() throws {
    let device = try sandbox.devices.change(register("one", number: "+12025550100"), isOnline: false)
    try push("a", to: device, until: sandbox.clock.now + .seconds(600))
    let number = try #require(PhoneNumber("+12025550100"))

    try sandbox.messages.release(to: number, over: .data)
    #expect(try texts() == [])
    _ = try sandbox.devices.change(device, isOnline: true)

    #expect(try texts() == ["a"])
  }

  @Test("a duplicate is listed as two pushes with the same payload")
  func duplicate() throws {
    try scenario("duplicate")

    try push("twice", to: register("one"))

    #expect(try texts() == ["twice", "twice"])
    #expect(
      try sandbox.pushes.page(token: "one", device: nil, after: 0, limit: 10).map(\.payload) == ["{}", "{}"])
  }

  @Test("a push is shown although it has expired")
  func shownExpired() throws {
    try scenario("shownExpired", #","afterMs":90000"#)
    try push("late", to: register("one"), until: sandbox.clock.now + .seconds(60))
    try sandbox.advance(by: .seconds(61))
    #expect(try states() == [.expired] && texts() == [])

    try sandbox.advance(by: .seconds(29))

    #expect(try states() == [.expired] && texts() == ["late"])
  }

  private func scenario(_ outcome: String, _ more: String = "") throws {
    let rule = #"{"match":{"channel":"push"},"outcome":"\#(outcome)"\#(more)}"#
    try sandbox.scenarios.replace(with: [Scenario(Fields(rule))])
  }

  @Test("pushes are deleted by token, or all")
  func clearing() throws {
    for token in ["one", "two", "three"] { try push("to \(token)", to: register(token)) }
    let all = try sandbox.messages.submitted(.init())
    func left() throws -> [String] { try all.compactMap { try sandbox.pushes.find($0.ordinal)?.token } }

    try sandbox.pushes.clear(token: "two")
    #expect(try left() == ["one", "three"])
    try sandbox.pushes.clear(token: nil)

    #expect(try left() == [])
  }

  @Test("an iOS device has two tokens, and both follow a rotation")
  func twoTokens() throws {
    var draft = Device.Draft(provider: "acme", holder: "one", app: "com.acme.app")
    (draft.pushToken, draft.platform) = ("one", .ios)
    let device = try sandbox.devices.register(draft)
    let apnsToken = try #require(device.draft.apnsToken)
    #expect(Device.isAPNsToken(apnsToken) && apnsToken.count == 64)
    #expect(try sandbox.devices.owner(ofAPNsToken: apnsToken) == .device(device))
    #expect(try sandbox.devices.owner(ofAPNsToken: "one") == .nobody)
    #expect(try sandbox.devices.find(anyToken: "one") == sandbox.devices.find(anyToken: apnsToken))

    let rotated = try sandbox.devices.rotate(device, to: "two", apnsToken: "sbx-two")

    #expect(try sandbox.devices.owner(ofAPNsToken: apnsToken) == .former(since: sandbox.clock.now))
    #expect(try sandbox.devices.owner(ofAPNsToken: "sbx-two") == .device(rotated))
    #expect(try register("three").draft.apnsToken == nil)
  }

  @Test("of the pushes of a group that wait for a device, the newest is kept")
  func storageGroup() throws {
    let device = try sandbox.devices.change(register("one"), isOnline: false)
    for (text, group) in [("a", "x"), ("b", nil), ("c", "x"), ("d", "y")] {
      try push(text, to: device, slot: PushSlot(storageGroup: group))
    }

    _ = try sandbox.devices.change(device, isOnline: true)

    #expect(try texts() == ["b", "c", "d"])
    #expect(try replaced() == ["a"])
    try push("e", to: find("one"), slot: PushSlot(storageGroup: "x"))
    #expect(try replaced() == ["a"])
  }

  @Test("a push with the collapse id of an earlier one replaces it, delivered or not")
  func collapseID() throws {
    let device = try register("one")
    try push("a", to: device, slot: PushSlot(collapseID: "x"))
    try push("b", to: device, slot: PushSlot(collapseID: "y"))

    try push("c", to: device, slot: PushSlot(collapseID: "x"))

    #expect(try replaced() == ["a"] && texts() == ["a", "b", "c"])
    try push("d", to: register("two"), slot: PushSlot(collapseID: "y"))
    #expect(try replaced() == ["a"])
  }

  private func replaced() throws -> [String] {
    try sandbox.messages.submitted(.init()).filter { try sandbox.pushes.find($0.ordinal)?.replacedBy != nil }
      .map(\.text)
  }

  @Test("requests are listed by target, and failures are counted since the last success")
  func attempts() throws {
    let target = PushAttempt.Target(kind: "token", value: "one")
    for status in [503, 200, 404, 429, 503] { try attempt(target, status) }
    try attempt(.init(kind: "topic", value: "two"), 503)
    try attempt(nil, 401)

    let attempts = sandbox.pushAttempts
    #expect(try attempts.page().map(\.status) == [503, 200, 404, 429, 503, 503, 401])
    #expect(try attempts.page(naming: "one").map(\.target) == Array(repeating: target, count: 5))
    #expect(try attempts.failuresInARow(naming: target) == 2)
    #expect(try attempts.page(limit: 2).map(\.status) == [503, 200])
    let third = try #require(try attempts.page()[2..<3].first)
    #expect(try attempts.page(after: third.ordinal).map(\.status) == [429, 503, 503, 401])
    #expect(third.code == "code-404" && third.at == TestSandbox.start && third.provider == "acme")

    try attempt(.init(kind: "topic", value: "one"), 200)
    #expect(try attempts.failuresInARow(naming: target) == 2)
    try attempt(target, 200)
    #expect(try attempts.failuresInARow(naming: target) == 0)
  }

  private func attempt(_ target: PushAttempt.Target?, _ status: Int) throws {
    var attempt = sandbox.pushAttempts.start(with: "acme")
    (attempt.target, attempt.status, attempt.code) = (target, status, "code-\(status)")
    try sandbox.pushAttempts.record(attempt)
  }

  private func register(_ token: String, number: String? = nil) throws -> Device {
    var draft = Device.Draft(provider: "acme", holder: number ?? token, app: "com.acme.app")
    draft.pushToken = token
    return try sandbox.devices.register(draft)
  }

  private func find(_ token: String) throws -> Device {
    guard case .device(let device) = try sandbox.devices.owner(ofToken: token) else {
      throw Missing(token: token)
    }
    return device
  }

  private struct Missing: Error { let token: String }

  private func push(
    _ text: String, to device: Device, until end: Timestamp? = nil, slot: PushSlot = PushSlot()
  ) throws {
    let draft = MessageDraft(
      provider: "acme", reference: "R", channel: .push, destination: device.draft.holder, sender: "acme",
      text: text, code: nil)
    try sandbox.pushes.send(draft, to: device, payload: "{}", until: end, slot: slot)
  }

  /// The texts on all handsets.
  private func texts() throws -> [String] { try sandbox.messages.inbox(.init()).map(\.text) }

  private func states() throws -> [DeliveryReceipt.State] {
    let now = sandbox.clock.now
    return try sandbox.messages.submitted(.init()).map { $0.state(at: now) }
  }
}
