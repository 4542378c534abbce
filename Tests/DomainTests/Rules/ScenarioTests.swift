import Domain
import JSON
import Numbers
import Testing

@Suite("Domain · scenarios")
struct ScenarioTests {
  let world: World

  init() throws { world = try World() }

  @Test(
    "a scenario is written as it was parsed",
    arguments: [
      #"{"match":{"number":"+12025550130","channel":"sms","sender":"Acme","provider":"acme","nth":2},"#
        + #""outcome":"slow","afterMs":20000,"err":null,"times":3}"#,
      #"{"match":{"number":null,"channel":"sms","sender":null,"provider":null,"nth":null},"#
        + #""providerStatus":{"acme":521,"other":"lost"},"afterMs":null,"err":null,"times":null}"#,
      #"{"match":{"number":null,"channel":null,"sender":null,"provider":null,"nth":null},"#
        + #""outcome":"undeliverable","afterMs":null,"err":1,"times":null}"#,
    ])
  func form(document: String) throws {
    let scenario = try Scenario(Fields(document))

    #expect(String(decoding: Scenario.schema.encode(scenario), as: UTF8.self) == document)
  }

  @Test(
    "a rule applies from its nth match on",
    arguments: [
      (nil, nil, [true, true, true, true]), (2, nil, [false, true, false, false]),
      (nil, 2, [true, true, false, false]), (2, 2, [false, true, true, false]),
      (nil, 0, [false, false, false, false]),
    ] as [(Int?, Int?, [Bool])])
  func turns(nth: Int?, times: Int?, acts: [Bool]) {
    var turn = Occurrences()
    turn.nth = nth
    turn.times = times

    var counts = RuleCounts()
    #expect((0..<4).map { _ in turn.count(&counts, mayAct: true) } == acts)
    #expect(counts == RuleCounts(hits: 4, applied: acts.filter { $0 }.count))
  }

  @Test(
    "a scenario applies only to messages that match",
    arguments: [
      (#"{"number":"+12025550100"}"#, true), (#"{"number":"+12025550101"}"#, false),
      (#"{"channel":"sms"}"#, true),
      (#"{"channel":"call"}"#, false), (#"{"sender":"Acme"}"#, true), (#"{"sender":"acme"}"#, false),
      (#"{"provider":"acme"}"#, true), (#"{"provider":"other"}"#, false), ("{}", true),
      (#"{"number":"+12025550100","channel":"sms","sender":"Acme","provider":"acme"}"#, true),
      (#"{"number":"+12025550100","channel":"call"}"#, false),
    ])
  func matching(match: String, concerns: Bool) throws {
    try set(#"{"match":\#(match),"outcome":"undeliverable"}"#)

    let message = try world.sandbox.messages.submit(.text("123456"), to: nil)

    #expect((message.arrivesAt == nil) == concerns)
    #expect(try world.sandbox.scenarios.all.map(\.counts.hits) == [concerns ? 1 : 0])
  }

  @Test("of two scenarios that act on a message, the first one wins; both count it")
  func first() throws {
    try set(#"{"outcome":"undeliverable"}"#, #"{"outcome":"slow"}"#)

    let message = try world.sandbox.messages.submit(.text("123456"), to: nil)

    #expect(message.receipts == Behaviour.undeliverable.plan(Scenario()).receipts)
    #expect(try world.sandbox.scenarios.all.map(\.counts.hits) == [1, 1])
  }

  @Test("a scenario counts every match, whether it acts on it or not")
  func outOfTurn() throws {
    try set(#"{"match":{"nth":2},"outcome":"undeliverable"}"#, #"{"outcome":"noReceipt"}"#)

    let outcomes = try (1...3).map { _ in
      try world.sandbox.messages.submit(.text("123456"), to: nil).receipts
    }

    #expect(
      outcomes
        == [
          Behaviour.noReceipt.plan(Scenario()), Behaviour.undeliverable.plan(Scenario()),
          Behaviour.noReceipt.plan(Scenario()),
        ].map(
          \.receipts))
    #expect(try world.sandbox.scenarios.all.map(\.counts.hits) == [3, 3])
  }

  @Test("each of several scenarios with `times` has its turn")
  func queue() throws {
    try set(#"{"outcome":"undeliverable","times":1}"#, #"{"outcome":"noReceipt","times":1}"#)

    let outcomes = try (1...3).map { _ in
      try world.sandbox.messages.submit(.text("123456"), to: nil).receipts
    }

    #expect(
      outcomes
        == [Behaviour.undeliverable, .noReceipt, .delivered].map { $0.plan(Scenario()).receipts })
    #expect(try world.sandbox.scenarios.all.map(\.counts.applied) == [1, 1])
  }

  @Test("a scenario wins over the subscriber's record")
  func beforeRecord() throws {
    var subscriber = Subscriber(happyLineOf: try #require(PhoneNumber("+12025550100")))
    subscriber.reach.sms = false
    try set(#"{"outcome":"deliver"}"#)

    #expect(
      try world.sandbox.messages.submit(.text("1"), to: subscriber).receipts
        == Behaviour.delivered.plan(.init()).receipts)
  }

  @Test("new scenarios replace all present ones and count from zero")
  func replacing() throws {
    try set(#"{"outcome":"slow"}"#, #"{"outcome":"absent"}"#)
    _ = try world.sandbox.messages.submit(.text("123456"), to: nil)

    try set(#"{"outcome":"absent"}"#)

    #expect(
      try world.sandbox.scenarios.all.map { "\($0.rule.outcome ?? "") \($0.counts.hits)" } == ["absent 0"])
  }

  @Test("scenarios and their counts survive a restart")
  func reopening() throws {
    let directory = try TemporaryDirectory()
    let world = try World(directory.database)
    try set(#"{"outcome":"slow","times":1}"#, #"{"outcome":"absent"}"#, in: world)
    for _ in 1...3 { _ = try world.sandbox.messages.submit(.text("123456"), to: nil) }
    try world.sandboxes.commit()
    world.close()

    let reopened = try World(directory.database)

    #expect(
      try reopened.sandbox.scenarios.all.map { "\($0.rule.outcome ?? "") \($0.counts.hits)" } == [
        "slow 3", "absent 3",
      ])
  }

  @Test("counts of a failed request are undone")
  func rollback() throws {
    try set(#"{"outcome":"slow","times":1}"#)

    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        _ = try world.sandbox.messages.submit(.text("123456"), to: nil)
        throw TestError()
      }
    }

    #expect(try world.sandbox.scenarios.all.map(\.counts.hits) == [0])
  }

  @Test("scenarios set by a failed request are undone")
  func rollbackOfRules() throws {
    try set(#"{"outcome":"slow"}"#)

    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        try set(#"{"outcome":"absent"}"#)
        throw TestError()
      }
    }

    #expect(try world.sandbox.scenarios.all.map(\.rule.outcome) == ["slow"])
  }

  private func set(_ documents: String..., in other: World? = nil) throws {
    try (other ?? world).sandbox.scenarios.replace(with: documents.map { try Scenario(Fields($0)) })
  }
}
