import Basics
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · apps on virtual handsets")
struct MobileSDKTests {
  private let world: World
  private let phone: Phone
  private var sandbox: Sandbox { world.sandbox }

  /// What the SDK was called for. A class, because its hook writes to it.
  private final class Phone {
    var answers: [(reference: String, at: Timestamp, shown: Timestamp)] = []
    var refuses = false
    var forgets = false
    /// The private keys of the apps that have answered.
    var keys: [String?] = []
    /// The first request is rolled back.
    var fails = false
  }

  init() throws {
    let phone = Phone()
    self.phone = phone
    let sdk = MobileSDK(reading: [.identity], signsTimes: true) { app, _ in
      if phone.refuses { throw AppRefusal("/things answered 400") }
      try app.keep(reference: "registration")
    } answer: { app, answer, challenge in
      if phone.refuses { throw AppRefusal("/things answered 403") }
      phone.keys.append(app.device.privateKey)
      if phone.fails { try? app.sandbox.atomically { throw TestError() } }
      phone.answers.append((challenge.reference, app.sandbox.clock.now, app.now))
      // As the dispatcher does before each request.
      try app.sandbox.catchUp()
      if !phone.forgets { _ = try app.sandbox.challenges.answer(answer, to: challenge) }
    }
    var hooks = ProviderHooks(name: "acme") { _, _ in }
    hooks.mobileSDK = sdk
    world = try World(hooks: [hooks])
  }

  @Test("an app is registered with the provider's id, or not at all")
  func registration() throws {
    let device = try enrol()
    phone.refuses = true

    #expect(throws: AppRefusal("/things answered 400")) { try enrol(number: "+12025550101") }

    #expect(device.draft.reference == "registration")
    #expect(try sandbox.devices.all == [device])
    #expect(try kinds.last == .deviceRefused)
  }

  @Test("the same key registers again as the same device, another one replaces it")
  func adoption() throws {
    var draft = draft()
    let virtual = try sandbox.devices.register(draft)
    draft.publicKey = virtual.publicKey
    draft.reference = "R"

    let adopted = try sandbox.devices.register(draft)
    let other = try sandbox.devices.register(draft)

    #expect(
      (adopted.ordinal, adopted.draft.reference, adopted.privateKey) == (
        virtual.ordinal, "R", virtual.privateKey
      ))
    #expect(other.ordinal != virtual.ordinal)
    #expect(try sandbox.devices.all == [other])
  }

  @Test("an answer goes through the SDK, and a refusal or a lost answer changes nothing")
  func answers() throws {
    let device = try enrol()
    let (one, other) = (try ask(device), try ask(device, "R2"))
    phone.refuses = true
    #expect(throws: AppRefusal.self) { try sandbox.challenges.answerOnHandset(.approve, to: one) }
    #expect(try kinds.last == .challengeRefused)
    (phone.refuses, phone.forgets) = (false, true)
    #expect(throws: AppRefusal("acme has not accepted the answer to R2")) {
      try sandbox.challenges.answerOnHandset(.deny, to: other)
    }
    phone.forgets = false

    let outcome = try sandbox.challenges.answerOnHandset(.deny, to: one)

    let answered = try #require(try sandbox.challenges.find(one.ordinal))
    #expect(outcome == .accepted(answered))
    #expect(try sandbox.challenges.find(one.ordinal)?.answer == .deny)
    #expect(try sandbox.challenges.find(other.ordinal) == other)
  }

  @Test("an app with the wrong key signs with another one, always the same")
  func wrongKey() throws {
    let device = try enrol()

    for (reference, fault) in [("R1", AnswerFault.wrongKey), ("R2", .wrongKey), ("R3", nil)] {
      _ = try sandbox.challenges.answerOnHandset(.approve, to: ask(device, reference), fault: fault)
    }

    #expect(phone.keys[0] == phone.keys[1] && phone.keys[0] != phone.keys[2])
    #expect(phone.keys[2] == device.privateKey)
    #expect(try sandbox.devices.find(ordinal: device.ordinal)?.privateKey == device.privateKey)
  }

  @Test("a late answer is sent although the challenge has expired or was answered")
  func late() throws {
    let device = try enrol()
    let (answered, expired) = (try ask(device, "R1"), try ask(device, "R2"))
    guard case .accepted(let first) = try sandbox.challenges.answerOnHandset(.approve, to: answered) else {
      Issue.record("not accepted")
      return
    }
    try sandbox.advance(by: .seconds(60))

    #expect(try sandbox.challenges.answerOnHandset(.approve, to: first, fault: .late) == .accepted(first))
    #expect(throws: AppRefusal("acme has not accepted the answer to R2")) {
      try sandbox.challenges.answerOnHandset(.approve, to: expired, fault: .late)
    }

    #expect(phone.answers.map(\.reference) == ["R1", "R1", "R2"])
  }

  @Test("a provider's challenge without an app of its on the handset cannot be answered")
  func noApp() throws {
    let challenge = try sandbox.challenges.create(
      .init(provider: "acme", reference: "R", holder: "+12025550100", lifetime: .seconds(60)))

    #expect(throws: AppRefusal.self) { try sandbox.challenges.answerOnHandset(.approve, to: challenge) }
  }

  @Test("two thousand handsets answer in the same moment, each at the time of its answer")
  func manyAtOnce() throws {
    let device = try enrol {
      $0.behaviour = .approve
      $0.answerAfter = .seconds(5)
    }
    for number in 0..<2000 { _ = try ask(device, "R\(number)") }

    try sandbox.advance(by: .seconds(30))
    while sandbox.clockTarget != nil { try sandbox.advanceToTarget() }

    #expect(phone.answers.count == 2000)
    #expect(phone.answers.allSatisfy { $0.at == TestSandbox.start + .seconds(5) })
    #expect(sandbox.clock.now == TestSandbox.start + .seconds(30))
  }

  @Test("after a request was rolled back, an automatic answer is still at its time")
  func rollback() throws {
    let device = try enrol {
      $0.behaviour = .approve
      $0.answerAfter = .seconds(5)
    }
    phone.fails = true
    _ = try ask(device)

    try sandbox.advance(by: .seconds(30))

    #expect(phone.answers.map(\.at) == [TestSandbox.start + .seconds(5)])
  }

  @Test("a handset with a wrong clock shows its own time")
  func clock() throws {
    let device = try enrol { $0.clockOffset = -90 }

    _ = try sandbox.challenges.answerOnHandset(.approve, to: ask(device))

    #expect(phone.answers.map(\.shown) == [TestSandbox.start - .seconds(90)])
  }

  @Test(
    "what keeps a person from answering ends, and the automatic answer follows",
    arguments: [HandsetState.Condition.locked, .batteryEmpty, .biometricsFailed])
  func obstacles(condition: HandsetState.Condition) throws {
    let device = try enrol {
      $0.behaviour = .approve
      $0.condition = condition
      $0.answerAfter = .seconds(1)
    }
    let challenge = try ask(device)
    try sandbox.advance(by: .seconds(10))
    #expect(throws: AppRefusal.self) { try sandbox.challenges.answerOnHandset(.approve, to: challenge) }
    #expect(phone.answers.isEmpty)

    var state = device.draft.handset
    state.condition = nil
    _ = try sandbox.devices.change(device, handset: state)
    try sandbox.advance(by: .seconds(10))

    #expect(phone.answers.map(\.at) == [TestSandbox.start + .seconds(11)])
  }

  @Test("the device's behaviour wins over the number's, and manual waits")
  func precedence() throws {
    var subscriber = try sandbox.subscribers[try #require(PhoneNumber("+12025550100"))]
    subscriber.pushReaction = .approve
    try sandbox.subscribers.keep(subscriber)
    let device = try enrol { $0.behaviour = .manual }
    _ = try ask(device)

    try sandbox.advance(by: .seconds(10))

    #expect(phone.answers.isEmpty)
  }

  @Test("a deleted app has an invalid token, whatever its state was")
  func deletedApp() throws {
    let device = try enrol { $0.condition = .appDeleted }

    #expect(device.tokenState == .unregistered)
    #expect(try sandbox.devices.countPush(to: device) == .unregistered)
    #expect(device.draft.tokenState == .ok)
  }

  @Test("another app on a number takes over the handset's state; one known by its token has its own")
  func sharedState() throws {
    _ = try enrol { $0.condition = .locked }
    var other = Device.Draft(provider: "fcm", holder: "+12025550100", app: "other")
    let onHandset = try sandbox.devices.register(other)
    other = Device.Draft(provider: "fcm", holder: "token-1", app: "other")

    #expect(onHandset.draft.handset.condition == .locked)
    #expect(try sandbox.devices.register(other).draft.handset == HandsetState())
  }

  @Test("waiting for one token is not disturbed by pushes to others, also when there are many")
  func signals() throws {
    let pushes = sandbox.pushes
    let device = try enrol()
    let (own, other) = (pushes.changes(of: device.draft.pushToken ?? ""), pushes.changes(of: "other"))

    _ = try ask(device)

    #expect(pushes.changes(of: device.draft.pushToken ?? "") != own)
    #expect(pushes.changes(of: "other") == other)
    #expect(try pushes.page(token: "T", device: nil, after: 0, limit: 10).count == 1)
    #expect(try pushes.page(token: "other", device: device.ordinal, after: 0, limit: 10).count == 1)
    #expect(try pushes.page(token: "other", device: nil, after: 0, limit: 10).isEmpty)
  }

  private func draft(number: String = "+12025550100") -> Device.Draft {
    var draft = Device.Draft(provider: "acme", holder: number, app: "com.acme.app")
    draft.pushToken = "T"
    return draft
  }

  private func enrol(
    number: String = "+12025550100", _ change: (inout HandsetState) -> Void = { _ in }
  ) throws -> Device {
    var draft = draft(number: number)
    change(&draft.handset)
    return try sandbox.devices.enrol(draft, Enrolment())
  }

  private func ask(_ device: Device, _ reference: String = "R1") throws -> Challenge {
    var draft = Challenge.Draft(
      provider: "acme", reference: reference, holder: device.draft.holder, lifetime: .seconds(60))
    draft.device = device
    draft.push = (
      message: MessageDraft(
        provider: "acme", reference: reference, channel: .push, destination: device.draft.holder,
        sender: "Acme", text: "Is it you?", code: nil), payload: "{}"
    )
    return try sandbox.challenges.create(draft)
  }

  private var kinds: [Event.Kind] {
    get throws { try sandbox.turns.map(\.kind) }
  }
}
