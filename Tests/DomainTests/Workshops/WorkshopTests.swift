import Basics
import Database
import JSON
import Numbers
import Support
import Testing

@testable import Domain

@Suite("Domain · workshops")
struct WorkshopTests {
  let world: World

  init() throws { world = try World() }

  /// A workshop of Ana and Ben, whose tasks are the members of `done`, or whole tasks.
  func create(_ tasks: String..., in world: World? = nil) throws -> Workshop {
    let list = tasks.enumerated().map { #"{"title":"\#($0)","text":"Do it",\#($1)}"# }.joined(separator: ",")
    var story = Story()
    let text = #"{"title":"S","summary":"S","flavours":[{"name":"acme","tasks":[\#(list)]}]}"#
    try Story.schema.merge(Fields(Array(text.utf8)), into: &story)
    let draft = Workshops.Draft(
      name: "tuesday", story: "own", flavour: try #require(story.flavours.first),
      participants: ["Ana", "Ben"], configuration: .init())
    return try (world ?? self.world).create(draft) { "phrase-\($0)-\($1)" }
  }

  func sandbox(_ position: Int = 1, in world: World? = nil) throws -> Sandbox {
    try #require((world ?? self.world).sandboxes["tuesday-\(position)"])
  }

  func observe(
    _ route: String, _ status: Int = 200, why: String? = nil, body: String = "", answer: String = "",
    isOwn: Bool = false, isOnPurpose: Bool = false, during earlier: Int? = nil, in sandbox: Sandbox
  ) throws {
    let exchange = Journal.Exchange(
      at: sandbox.clock.now, owner: isOwn ? "control" : "acme", route: route, method: "POST",
      target: "/\(route)", requestHead: [], requestBody: Array(body.utf8), status: status, responseHead: [],
      responseBody: Array(answer.utf8), why: why, unread: [], nearest: [])
    let task = try #require(try earlier ?? sandbox.tasks.current)
    try sandbox.atomically {
      try sandbox.tasks.observe(exchange, during: task, isOwn: isOwn, isOnPurpose: isOnPurpose) {
        text, bytes in
        String(decoding: bytes, as: UTF8.self).contains(text)
      }
    }
  }

  func results(_ workshop: Workshop, _ position: Int = 1, in world: World? = nil) throws -> [String] {
    let participants = try (world ?? self.world).sandboxes.workshops.participants(of: workshop)
    return participants[position - 1].results.map(\.state.rawValue)
  }

  static let request = #""done":[{"request":{"route":"send","status":201}}]"#

  @Test("a request that matches ends the task, another one makes it tried, with the reason")
  func request() throws {
    let workshop = try create(Self.request, Self.request)
    try observe("send", 400, why: "no number", in: sandbox())
    #expect(try results(workshop) == ["tried", "untouched"])
    let ana = try #require(try world.sandboxes.workshops.participants(of: workshop).first)
    #expect(ana.results.first?.refusal == Refusal(why: "no number"))
    #expect(ana.activeAt == TestSandbox.start)

    try observe("send", 201, in: sandbox())

    #expect(try results(workshop) == ["done", "untouched"])
    #expect(try results(workshop, 2) == ["untouched", "untouched"])
  }

  @Test("steps match in order, and anything may happen between them")
  func sequence() throws {
    let workshop = try create(
      #""done":[{"request":{"route":"check","status":429,"answerContains":"60202"}},{"request":{"route":"send"}}]"#
    )
    try observe("send", in: sandbox())
    try observe("check", 429, answer: "60203", in: sandbox())
    #expect(try results(workshop) == ["tried"])
    try observe("check", 429, answer: #"{"code":60202}"#, in: sandbox())
    try observe("check", in: sandbox())
    #expect(try results(workshop) == ["started"])

    try observe("send", in: sandbox())

    #expect(try results(workshop) == ["done"])
  }

  @Test("an event ends a task, also one that comes with the clock; earlier events do not count")
  func event() throws {
    let expired = #""done":[{"event":{"kind":"verification.expired","to":"+12025550101"}}]"#
    let workshop = try create(expired, expired)
    for number in ["+12025550100", "+12025550101"] {
      try sandbox().atomically { _ = try sandbox().start(number) }
    }

    try sandbox().atomically { try sandbox().advance(by: .seconds(3600)) }

    #expect(try results(workshop) == ["done", "untouched"])
  }

  @Test("a task is started by a request that is not refused, and tried by one that is")
  func started() throws {
    let workshop = try create(Self.request)
    try observe("check", in: sandbox())
    #expect(try results(workshop) == ["started"])

    try observe("check", 404, in: sandbox())

    #expect(try results(workshop) == ["tried"])
    #expect(try participant(of: workshop).results[0].refusal?.why == "POST /check: refused")
  }

  @Test("a request whose event ends a task is not one of the next task, neither its step nor a try")
  func requestOfTheEarlierTask() throws {
    let started = #""done":[{"event":{"kind":"verification.started"}}]"#
    for status in [201, 400] {
      let world = try World()
      let workshop = try create(started, Self.request, in: world)
      let sandbox = try sandbox(in: world)
      let task = try #require(try sandbox.tasks.current)
      try sandbox.atomically { _ = try sandbox.start("+12025550100") }
      #expect(try results(workshop, in: world) == ["done", "untouched"])

      try observe("send", status, during: task, in: sandbox)

      #expect(try results(workshop, in: world) == ["done", "untouched"])
    }
  }

  @Test("a request of the control API counts only where a step names it, and is never a try")
  func ownRequests() throws {
    let workshop = try create(
      #""done":[{"request":{"status":200}}]"#,
      #""done":[{"request":{"provider":"control","contains":"code"}}]"#)
    try observe("code", isOwn: true, in: sandbox())
    #expect(try results(workshop) == ["untouched", "untouched"])
    try observe("send", in: sandbox())

    try observe("code", isOwn: true, in: sandbox())

    #expect(try results(workshop) == ["done", "done"])
  }

  @Test(
    "a task is open from the first sign of the participant, the next one from its end, on the default clock")
  func minutes() throws {
    let workshop = try create(Self.request, Self.request)
    func minutes() throws -> [Int?] {
      try participant(of: workshop).results.map { $0.minutes(at: world.sandboxes.workshops.now) }
    }
    let clock = world.sandboxes.defaultSandbox
    try clock.advance(by: .seconds(3600))
    #expect(try minutes() == [nil, nil])
    try sandbox().tasks.noteArrival()
    try clock.advance(by: .seconds(7 * 60 + 59))
    #expect(try minutes() == [7, nil])
    try sandbox().advance(by: .seconds(3600))
    try observe("send", 201, in: sandbox())
    try clock.advance(by: .seconds(60))
    #expect(try minutes() == [7, 1])

    try world.reset(participant(of: workshop))

    #expect(try minutes() == [nil, nil])
  }

  @Test("a rule keeps its origin when a client sends the list back, and a task's ends with the task only")
  func origins() throws {
    let workshop = try create(#""faults":[{"status":503}],\#(Self.request)"#)
    let rule = try Fault(Fields(Array(#"{"status":500,"times":1}"#.utf8)))
    try sandbox().faults.add([rule], from: .trainer)
    try sandbox().faults.add([rule], from: .trainer)
    let sent = try [Fault(Fields(Array(#"{"status":429}"#.utf8)))] + sandbox().faults.all.map(\.rule)
    try sandbox().faults.replace(with: sent)

    #expect(try sandbox().faults.all.map(\.origin) == [.control, .trainer, .task])
    let failures = try world.sandboxes.workshops.failures(of: participant(of: workshop))
    #expect(failures.map(\.effect) == ["every provider answers 429", "every provider answers 500"])
    #expect(failures.map(\.origin) == [.control, .trainer])
    try sandbox().faults.replace(with: [rule])
    let acting = try #require(
      try sandbox().faults.first(
        provider: "acme", route: "send", names: { _ in true }, contains: { _ in true }))
    #expect(
      acting.why
        == "broken on purpose by the trainer: fault 1 answers 500 (until the trainer fixes it)"
    )
    #expect(try world.sandboxes.workshops.failures(of: participant(of: workshop)) == [])
  }

  @Test("the scenario that held a message back is named with whose it is")
  func scenarioOfTheTask() throws {
    _ = try create(#""scenarios":[{"outcome":"undeliverable"}],\#(Self.request)"#)
    let (ana, number) = (try sandbox(), try #require(PhoneNumber("+12025550100")))
    let draft = MessageDraft(
      provider: "acme", reference: "r-1", channel: .sms, destination: number.description, sender: "ACME",
      text: "Your code is 1", code: "1")
    try ana.messages.submit(draft, to: ana.subscribers[number])

    let message = try #require(try ana.messages.submitted(.init(), limit: 1).first)
    #expect(ana.deliveryNotes[message.ordinal]?.scenario == "scenario 1 of the task (undeliverable)")
  }

  func participant(of workshop: Workshop) throws -> Participant {
    try #require(try world.sandboxes.workshops.participants(of: workshop).first)
  }

  @Test("what a task has prepared begins and ends with it, and the rest stays")
  func preparation() throws {
    _ = try create(
      Self.request,
      #""scenarios":[{"outcome":"filtered"}],"faults":[{"status":503,"times":2}],"#
        + #""subscribers":[{"number":"+12025550100","code":"4711"}],\#(Self.request)"#)
    let sandbox = try sandbox()
    try sandbox.faults.add([Fault(Fields(Array(#"{"status":500}"#.utf8)))], from: .trainer)
    #expect(try sandbox.scenarios.all.isEmpty)

    try observe("send", 201, in: sandbox)
    #expect(try sandbox.scenarios.all.map(\.rule.outcome) == ["filtered"])
    #expect(try sandbox.faults.all.map(\.rule.status) == [503, 500])
    #expect(try sandbox.subscribers.recorded(#require(PhoneNumber("+12025550100")))?.code == "4711")

    try observe("send", 201, in: sandbox)
    #expect(try sandbox.scenarios.all.isEmpty)
    #expect(try sandbox.faults.all.map(\.rule.status) == [500])
    #expect(try sandbox.subscribers.recorded(#require(PhoneNumber("+12025550100"))) == nil)
  }

  @Test("fixing removes all rules but those of the current task; a restart of the task gives used ones back")
  func fix() throws {
    _ = try create(#""faults":[{"status":503,"times":1}],\#(Self.request)"#)
    let sandbox = try sandbox()
    try sandbox.faults.add([Fault(Fields(Array(#"{"status":500}"#.utf8)))], from: .trainer)
    try sandbox.tasks.fix()
    #expect(try sandbox.faults.all.map(\.rule.status) == [503])
    _ = try sandbox.faults.first(
      provider: "acme", route: "send", names: { _ in true }, contains: { _ in true })
    #expect(try sandbox.faults.all.map(\.counts.applied) == [1])

    #expect(try !sandbox.tasks.isRepaired)
    try sandbox.faults.replace(with: [])
    #expect(try sandbox.tasks.isRepaired)
    try sandbox.atomically { try sandbox.tasks.restart() }

    #expect(try sandbox.faults.all.map(\.counts.applied) == [0])
  }

  @Test(
    "a reset of the sandbox keeps what is done and prepares the current task; that of the participant starts again"
  )
  func resets() throws {
    let workshop = try create(Self.request, #""faults":[{"status":503}],\#(Self.request)"#)
    try observe("send", 201, in: sandbox())

    _ = try world.sandboxes.reset(sandbox())
    #expect(try results(workshop) == ["done", "untouched"])
    #expect(try sandbox().faults.all.map(\.rule.status) == [503])

    let ana = try #require(try world.sandboxes.workshops.participants(of: workshop).first)
    try world.reset(ana)
    #expect(try results(workshop) == ["untouched", "untouched"])
    #expect(try sandbox().faults.all.isEmpty)
  }

  @Test("progress is undone with the transaction that made it")
  func rollback() throws {
    let workshop = try create(Self.request)
    try world.sandboxes.commit()
    try observe("send", 201, in: sandbox())
    world.breakNextCommit()
    #expect(throws: (any Error).self) { try world.sandboxes.commit() }

    #expect(try results(workshop) == ["untouched"])
    try observe("send", 201, in: sandbox())
    #expect(try results(workshop) == ["done"])
  }

  @Test("after a restart, progress within a sequence goes on, and earlier events are not seen again")
  func reload() throws {
    let folder = try TemporaryDirectory()
    let location = folder.database
    let first = try World(location)
    let workshop = try create(
      #""done":[{"request":{"route":"check"}},{"event":{"kind":"verification.started"}},{"request":{"route":"send"}}]"#,
      in: first)
    try sandbox(in: first).atomically { _ = try sandbox(in: first).start("+12025550100") }
    try observe("check", in: sandbox(in: first))
    try first.sandboxes.commit()
    first.close()

    let second = try World(location)
    try observe("send", in: sandbox(in: second))
    #expect(try results(workshop, in: second) == ["started"])
    try sandbox(in: second).atomically { _ = try sandbox(in: second).start("+12025550101") }
    try observe("send", in: sandbox(in: second))

    #expect(try results(workshop, in: second) == ["done"])
    #expect(second.sandboxes.workshops.changeCount > first.sandboxes.workshops.changeCount)
  }

  @Test("a participant whose sandbox is damaged stops no action for the others, and a reset repairs it")
  func damaged() throws {
    let workshop = try create(Self.request)
    let participants = try world.sandboxes.workshops.participants(of: workshop)
    try world.database.run(
      "INSERT INTO rules (sandbox, kind, position, record) VALUES (?, 'fault', 1, '{}')", sandbox(1).id)
    let rule = try Fault(Fields(Array(#"{"status":500}"#.utf8)))

    let change = world.sandboxes.workshops.startChange(of: participants) { _, sandbox in
      try sandbox.faults.add([rule], from: .trainer)
    }
    try world.finish(change.job)

    #expect(change.failures.map(\.participant.name) == ["Ana"])
    #expect(try sandbox(2).faults.all.count == 1)
    #expect(world.sandboxes.workshops.failures(of: participants[0]).isEmpty)

    let reset = world.sandboxes.workshops.startReset(of: participants)
    try world.finish(reset.job)
    #expect(reset.failures.isEmpty)
    #expect(try sandbox(1).faults.all.isEmpty && sandbox(2).faults.all.isEmpty)
  }

  @Test("removing a sandbox removes its participant, removing a workshop its sandboxes")
  func removal() throws {
    let workshop = try create(Self.request)
    try world.sandboxes.remove(sandbox(2))
    #expect(try world.sandboxes.workshops.participants(of: workshop).map(\.name) == ["Ana"])

    try world.sandboxes.workshops.remove(workshop)

    #expect(world.sandboxes.count == 1)
    #expect(try world.sandboxes.workshops.all.isEmpty)
  }

  @Test("a name that is taken changes nothing, and a phrase that is taken is made again")
  func names() throws {
    let workshop = try create(Self.request)
    #expect(try world.sandboxes.workshops.sandbox(forPhrase: "phrase-2-0")?.name == "tuesday-2")
    let flavour = Story.Flavour()
    let draft = Workshops.Draft(
      name: "tuesday", story: "own", flavour: flavour, participants: ["Cem"], configuration: .init())

    #expect(throws: Workshops.NameTaken.self) {
      try world.create(draft) { "p-\($0)-\($1)" }
    }
    #expect(world.sandboxes.count == 3)
    let other = Workshops.Draft(
      name: "friday", story: "own", flavour: flavour, participants: ["Cem"], configuration: .init())
    let friday = try world.create(other) { "phrase-\($0)-\($1)" }
    #expect(try world.sandboxes.workshops.participants(of: friday).map(\.phrase) == ["phrase-1-1"])
    #expect(
      try world.sandboxes.workshops.participants(of: workshop).map(\.phrase) == ["phrase-1-0", "phrase-2-0"])
  }
}
