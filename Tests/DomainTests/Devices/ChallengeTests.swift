import Basics
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · challenges", .contract("telesign.md 5.2"))
struct ChallengeTests {
  let world: World
  let device: Device
  private let ear: Ear
  var challenges: Challenges { world.sandbox.challenges }

  /// The events that the provider got. A class, because its hook writes to it.
  private final class Ear {
    var heard: [DomainEvent] = []
  }

  init() throws {
    let ear = Ear()
    self.ear = ear
    world = try World(hooks: [ProviderHooks(name: "acme") { notice, _ in ear.heard.append(notice) }])
    device = try world.register()
  }

  @Test("a challenge is pushed to the device as a message with the app's payload")
  func pushed() throws {
    let challenge = try ask()

    let push = try #require(try challenge.push.flatMap { try world.sandbox.pushes.find($0) })
    let message = try #require(try world.sandbox.messages.find(push.ordinal))
    #expect(push.token == "token-com.acme.app")
    #expect(push.payload == #"{"data":{"a":"b"}}"#)
    #expect(push.device == device.ordinal)
    #expect(message.channel == .push)
    #expect(message.destination == "+12025550100")
    #expect(try world.sandbox.texts() == ["Is it you?"])
    #expect(try challenges.find(push: push.ordinal) == challenge)
    #expect(try challenges.latest(about: "R1", provider: "acme") == challenge)
    #expect(challenge.state(at: world.sandbox.clock.now) == .pending)
  }

  @Test(
    "only the first answer counts, and the provider is notified",
    arguments: Challenge.Answer.allCases)
  func answered(answer: Challenge.Answer) throws {
    let asked = try ask()

    let first = try challenges.answer(answer, to: asked)
    let answered = try #require(try challenges.find(asked.ordinal))
    let second = try challenges.answer(.approve, to: answered)

    #expect(first == .accepted(answered))
    #expect(second == .ended(answered))
    #expect(answered.state(at: .latest) == (answer == .approve ? .approved : .denied))
    #expect(answered.answeredAt == TestSandbox.start)
    #expect(ear.heard == [.answered(answered)])
    #expect(try story == ["challenge.asked", answer == .approve ? "challenge.approved" : "challenge.denied"])
  }

  @Test("an expired challenge accepts no answer")
  func expired() throws {
    let challenge = try ask()

    try world.sandbox.advance(by: .seconds(60))

    #expect(challenge.state(at: world.sandbox.clock.now) == .expired)
    #expect(try challenges.answer(.approve, to: challenge) == .ended(challenge))
    #expect(ear.heard.isEmpty)
  }

  @Test("a withdrawn challenge is expired at once, an answered one stays answered")
  func withdrawn() throws {
    let (one, other) = (try ask(), try ask())
    _ = try challenges.answer(.deny, to: other)

    try challenges.withdraw(one)
    try challenges.withdraw(#require(try challenges.find(other.ordinal)))

    let now = world.sandbox.clock.now
    #expect(try challenges.find(one.ordinal)?.state(at: now) == .expired)
    #expect(try challenges.find(other.ordinal)?.state(at: now) == .denied)
  }

  @Test(
    "the number's automatic answer is given when the push arrives, and wins over the provider's default",
    arguments: [
      (PushReaction.approve, PushReaction?.none, Challenge.State.approved), (.deny, .approve, .denied),
      (.ignore, .approve, .pending), (nil, .deny, .denied), (nil, .ignore, .pending), (nil, nil, .pending),
    ] as [(PushReaction?, PushReaction?, Challenge.State)])
  func habits(own: PushReaction?, providers: PushReaction?, state: Challenge.State) throws {
    try set { $0.pushReaction = own }
    let asked = try ask(habit: providers)

    #expect(try challenges.find(asked.ordinal) == asked)
    try world.sandbox.catchUp()

    #expect(try challenges.find(asked.ordinal)?.state(at: world.sandbox.clock.now) == state)
    #expect(ear.heard.count == (state == .pending ? 0 : 1))
  }

  @Test("an earlier answer wins over the automatic one")
  func faster() throws {
    try set { $0.pushReaction = .deny }
    let asked = try ask()

    _ = try challenges.answer(.approve, to: asked)
    try world.sandbox.catchUp()

    #expect(try challenges.find(asked.ordinal)?.answer == .approve)
    #expect(ear.heard.count == 1)
  }

  @Test("a handset without data gets and answers the push when it has data again")
  func held() throws {
    try set {
      $0.pushReaction = .approve
      $0.reach.data = false
    }
    let asked = try ask()
    try world.sandbox.advance(by: .seconds(20))
    #expect(try world.sandbox.texts().isEmpty)
    #expect(try challenges.find(asked.ordinal)?.answer == nil)

    try world.sandbox.messages.release(to: number, over: .data)
    try world.sandbox.catchUp()

    #expect(try world.sandbox.texts() == ["Is it you?"])
    #expect(try challenges.find(asked.ordinal)?.answeredAt == TestSandbox.start + .seconds(20))
  }

  @Test("a slow push is answered at its arrival, even if the clock is set past that time")
  func slow() throws {
    try set { $0.pushReaction = .approve }
    try world.sandbox.scenarios.replace(with: [Scenario(Fields(#"{"outcome":"slow","afterMs":5000}"#))])
    let asked = try ask()

    try world.sandbox.advance(by: .seconds(600))

    #expect(try challenges.find(asked.ordinal)?.answeredAt == TestSandbox.start + .seconds(5))
  }

  @Test("each report of the app about a push counts once, and delivered after read is ignored")
  func marks() throws {
    let challenge = try ask()

    try challenges.record(.delivered, of: challenge)
    try challenges.record(.delivered, of: challenge)
    try world.sandbox.advance(by: .seconds(1))
    try challenges.record(.read, of: challenge)
    try challenges.record(.delivered, of: challenge)

    let push = try #require(try challenge.push.flatMap { try world.sandbox.pushes.find($0) })
    #expect(push.deliveredAt == TestSandbox.start)
    #expect(push.readAt == TestSandbox.start + .seconds(1))
    #expect(push.mark == .read)
    #expect(ear.heard == [.marked(challenge, .delivered), .marked(challenge, .read)])
    #expect(try story == ["challenge.asked", "push.delivered", "push.read"])
  }

  @Test("a challenge without a push waits until a device of its holder scans it")
  func scanned() throws {
    let other = try world.register(on: "+12025550101")
    let asked = try challenges.create(
      Challenge.Draft(provider: "acme", reference: "R1", holder: "+12025550100", lifetime: .seconds(60)))

    #expect(try challenges.scan(asked, with: other) == nil)
    let scanned = try challenges.scan(asked, with: device)

    #expect(asked.push == nil && asked.device == nil)
    #expect(scanned?.device == device.ordinal)
    #expect(try challenges.scan(#require(scanned), with: device) == scanned)
    #expect(try story == ["challenge.asked", "challenge.scanned"])
    try challenges.withdraw(#require(scanned))
    #expect(try challenges.scan(#require(try challenges.find(asked.ordinal)), with: device) == nil)
  }

  @Test("the automatic answer to a challenge without a push is given when it is scanned")
  func scannedByHabit() throws {
    var draft = Challenge.Draft(
      provider: "acme", reference: "R1", holder: "+12025550100", lifetime: .seconds(60))
    draft.defaultReaction = .approve
    let asked = try challenges.create(draft)
    try world.sandbox.catchUp()
    #expect(try challenges.find(asked.ordinal)?.answer == nil)

    _ = try challenges.scan(asked, with: device)
    try world.sandbox.catchUp()

    #expect(try challenges.find(asked.ordinal)?.answer == .approve)
  }

  @Test("an answer is undone if the provider's handler throws")
  func refused() throws {
    let world = try World(hooks: [ProviderHooks(name: "acme") { _, _ in throw TestError() }])
    let asked = try world.sandbox.challenges.create(
      Challenge.Draft(provider: "acme", reference: "R1", holder: "+12025550100", lifetime: .seconds(60)))

    #expect(throws: TestError.self) {
      try world.sandbox.atomically { try world.sandbox.challenges.answer(.approve, to: asked) }
    }

    #expect(try world.sandbox.challenges.find(asked.ordinal) == asked)
  }

  @Test("ended challenges and pushes are deleted with the history, pending ones are kept")
  func history() throws {
    var history = Retention()
    history.maxAge = .seconds(3600)
    let world = try World(retention: history)
    let device = try world.register()
    _ = try world.ask(device)
    let waiting = try world.ask(device, for: .seconds(86_400))

    try world.sandbox.advance(by: .seconds(3 * 3600))
    try world.sandboxes.commit()

    #expect(try world.sandbox.challenges.all(.init()) == [waiting])
    #expect(try world.rows["pushes"] == 0)
  }

  @Test("everything survives reopening the database")
  func durable() throws {
    let directory = try TemporaryDirectory()
    let world = try World(directory.database)
    let device = try world.register()
    let asked = try world.ask(device)
    try world.sandbox.challenges.record(.read, of: asked)
    _ = try world.sandbox.challenges.answer(.deny, to: asked)
    let (answered, push) = try (
      world.sandbox.challenges.find(asked.ordinal), world.sandbox.pushes.find(#require(asked.push))
    )
    try world.sandboxes.commit()
    world.close()

    let reopened = try World(directory.database)

    #expect(try reopened.sandbox.devices.all == [device])
    #expect(try reopened.sandbox.challenges.all(.init()) == [#require(answered)])
    #expect(try reopened.sandbox.pushes.find(#require(asked.push)) == push)
  }

  private var number: PhoneNumber {
    get throws { try #require(PhoneNumber("+12025550100")) }
  }

  private var story: [String] {
    get throws {
      try world.sandbox.turns.map(\.kind.rawValue).filter { !$0.hasPrefix("device") }
    }
  }

  private func set(_ change: (inout Subscriber) -> Void) throws {
    var subscriber = try world.sandbox.subscribers[number]
    change(&subscriber)
    try world.sandbox.subscribers.keep(subscriber)
  }

  private func ask(habit: PushReaction? = nil) throws -> Challenge { try world.ask(device, habit: habit) }
}

extension World {
  /// The provider `acme` asks a device.
  func ask(_ device: Device, habit: PushReaction? = nil, for lifetime: Duration = .seconds(60)) throws
    -> Challenge
  {
    var draft = Challenge.Draft(
      provider: "acme", reference: "R1", holder: device.draft.holder, lifetime: lifetime)
    draft.device = device
    draft.defaultReaction = habit
    draft.push = (
      message: MessageDraft(
        provider: "acme", reference: "R1", channel: .push, destination: device.draft.holder, sender: "Acme",
        text: "Is it you?", code: nil),
      payload: #"{"data":{"a":"b"}}"#
    )
    return try sandbox.challenges.create(draft)
  }
}
