import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · scenarios by network, every nth and at random")
struct ScenarioMatchTests {
  let world: World

  init() throws { world = try World() }

  @Test(
    "a scenario is about the numbers of a country, a prefix, an operator, and about handsets that roam",
    arguments: [
      (#"{"country":"FR"}"#, "+33639980001", true), (#"{"country":"US"}"#, "+33639980001", false),
      (#"{"prefix":"+336"}"#, "+33639980001", true), (#"{"prefix":"+1"}"#, "+33639980001", false),
      (#"{"operator":"Wren Mobile"}"#, "+12025550145", true),
      (#"{"operator":"Wren Mobile"}"#, "+12025550100", false),
      (#"{"roaming":true}"#, "+12025550137", true), (#"{"roaming":true}"#, "+12025550100", false),
      (#"{"roaming":false}"#, "+12025550137", false), (#"{"roaming":false}"#, "+12025550100", true),
      (#"{"country":"US","operator":"Wren Mobile"}"#, "+12025550145", true),
      (#"{"country":"FR","operator":"Wren Mobile"}"#, "+12025550145", false),
    ])
  func network(match: String, number: String, concerns: Bool) throws {
    try set(#"{"match":\#(match),"outcome":"undeliverable"}"#)

    let message = try send(to: number)

    #expect((message.arrivesAt == nil) == concerns)
    #expect(try world.sandbox.scenarios.all.map(\.counts.hits) == [concerns ? 1 : 0])
  }

  @Test("an email address is in no network")
  func email() throws {
    try set(#"{"match":{"roaming":false},"outcome":"undeliverable"}"#)

    let message = try world.sandbox.messages.submit(.text("1", to: "ada@example.com", over: .email), to: nil)

    #expect(message.arrivesAt != nil)
  }

  @Test("a silent verification is in the network of its number")
  func silent() throws {
    try set(#"{"match":{"country":"FR"},"outcome":"carrierError"}"#)
    let scenarios = world.sandbox.scenarios

    #expect(try scenarios.silentOutcome(for: number("+33639980001"), provider: "acme") == .carrierError)
    #expect(try scenarios.silentOutcome(for: number("+12025550100"), provider: "acme") == .match)
  }

  @Test(
    "a match that no message can have is an error",
    arguments: [
      (
        #"{"country":"uk"}"#,
        #"$.match.country: expected two letters of ISO 3166-1 such as US; found "uk"; did you mean "GB"?"#
      ),
      (
        #"{"prefix":"33 6"}"#,
        #"$.match.prefix: expected the first digits of a phone number, such as +3363; found "33 6"; did you mean "#
          + #""+336"?"#
      ),
      (
        #"{"number":"+12025550100","prefix":"+33"}"#,
        #"$.match.prefix: expected the first digits of +12025550100; found "+33""#
      ),
      (
        #"{"number":"+12025550100","country":"FR"}"#,
        #"$.match.country: expected US, the country of +12025550100; found "FR""#
      ),
      (
        #"{"number":"ada@example.com","operator":"Wren Mobile"}"#,
        #"$.match.operator: expected nothing beside an email address; found "Wren Mobile""#
      ),
      (
        #"{"channel":"email","roaming":true}"#,
        "$.match.roaming: expected nothing beside the channel email; found true"
      ),
      (#"{"every":2,"rate":0.5}"#, "$.match.every: expected nothing beside rate; found 2"),
      (#"{"every":2,"nth":5}"#, "$.match.nth: expected nothing beside every; found 5"),
      (#"{"rate":20}"#, "$.match.rate: expected a number from 0.0001 to 1.0; found 20"),
      (#"{"rate":0}"#, "$.match.rate: expected a number from 0.0001 to 1.0; found 0"),
      (#"{"every":0}"#, "$.match.every: expected an integer from 1 to 1000000000; found 0"),
    ])
  func impossible(match: String, sentence: String) throws {
    let error = #expect(throws: FieldError.self) {
      try Scenario(Fields(#"{"match":\#(match),"outcome":"undeliverable"}"#)).validate(against: [], at: "$")
    }

    #expect(error?.description == sentence)
  }

  @Test(
    "a member that changes nothing about the outcome is an error",
    arguments: [
      (#"{"outcome":"deliver","afterMs":5}"#, "afterMs", "deliver", "5"),
      (#"{"outcome":"receiptFirst","afterMs":5}"#, "afterMs", "receiptFirst", "5"),
      (#"{"outcome":"submitFail:throttled","afterMs":5}"#, "afterMs", "submitFail:throttled", "5"),
      (#"{"outcome":"mismatch","afterMs":5}"#, "afterMs", "mismatch", "5"),
      (#"{"outcome":"networkDown","match":{"channel":"silent"},"afterMs":5}"#, "afterMs", "networkDown", "5"),
      (#"{"outcome":"deliver","providerStatus":{"acme":521},"afterMs":5}"#, "afterMs", "deliver", "5"),
      (#"{"outcome":"slow","err":34}"#, "err", "slow", "34"),
      (#"{"outcome":"answer","err":34}"#, "err", "answer", "34"),
      (#"{"outcome":"slow","keys":"1"}"#, "keys", "slow", #""1""#),
      (#"{"outcome":"voicemail","keys":"1"}"#, "keys", "voicemail", #""1""#),
    ])
  func withoutEffect(document: String, member: String, outcome: String, found: String) throws {
    let scenario = try Scenario(Fields(document))

    let error = #expect(throws: FieldError.self) { try scenario.validate(against: [], at: "$") }

    #expect(
      error?.description
        == "$.\(member): expected nothing beside the outcome \(outcome), where it has no effect; found \(found)"
    )
  }

  @Test(
    "a member that changes what the outcome does is accepted",
    arguments: [
      #"{"outcome":"slow","afterMs":0}"#, #"{"outcome":"absent","afterMs":300000,"err":60}"#,
      #"{"outcome":"noReceipt","afterMs":5}"#, #"{"outcome":"busy","afterMs":5,"err":7}"#,
      #"{"outcome":"answer","keys":""}"#, #"{"outcome":"networkDown","afterMs":5,"err":34}"#,
      #"{"outcome":"undeliverable","match":{"channel":"call"},"afterMs":5}"#,
      #"{"providerStatus":{"acme":521},"afterMs":5,"err":1}"#,
      #"{"outcome":"slow","match":{"number":"ada@example.com","sender":"Acme"}}"#,
    ])
  func withEffect(document: String) throws {
    try Scenario(Fields(document)).validate(against: [acme], at: "$")
  }

  private let acme = {
    var names = RouteNames(provider: "acme", routes: [], errorCodes: [])
    names.readStatuses = { [ProviderStatus("521", "No network", .undeliverable, over: [.sms])] }
    return names
  }()

  @Test(
    "a number or a sender that no message of the channel has is an error",
    arguments: [
      (
        #"{"match":{"number":"ada@example.com","channel":"sms"},"outcome":"slow"}"#,
        #"number: expected a phone number for this channel or outcome; found "ada@example.com""#
      ),
      (
        #"{"match":{"number":"ada@example.com"},"outcome":"busy"}"#,
        #"number: expected a phone number for this channel or outcome; found "ada@example.com""#
      ),
      (
        #"{"match":{"number":"+12025550100","channel":"email"},"outcome":"slow"}"#,
        #"number: expected an email address for this channel; found "+12025550100""#
      ),
      (
        #"{"match":{"sender":"Acme"},"outcome":"mismatch"}"#,
        #"sender: expected nothing, because silent verifications have no sender; found "Acme""#
      ),
    ])
  func noSuchMessage(document: String, sentence: String) throws {
    let scenario = try Scenario(Fields(document))

    let error = #expect(throws: FieldError.self) { try scenario.validate(against: [], at: "$") }

    #expect(error?.description == "$.match.\(sentence)")
  }

  @Test("the operator of a scenario is one that a number has", arguments: ["Plover", "Sandpiper Mobile"])
  func knownOperator(name: String) throws {
    var subscriber = try world.sandbox.subscribers[number("+447700900123")]
    subscriber.operatorName = "Plover"
    try world.sandbox.subscribers.keep(subscriber)

    try world.sandbox.subscribers.validate(operatorNamed: name, in: "$.match.operator")
  }

  @Test(
    "an operator that no number has is an error with the nearest name",
    arguments: [
      ("Wren Mobil", #"unknown operator "Wren Mobil"; did you mean "Wren Mobile"?"#),
      (
        "Plover",
        #"unknown operator "Plover"; expected that of a record, or one of Sandpiper Mobile, Sandpiper Fixed, "#
          + "Sandpiper Voice, Wren Mobile"
      ),
    ])
  func unknownOperator(name: String, sentence: String) throws {
    let error = #expect(throws: FieldError.self) {
      try world.sandbox.subscribers.validate(operatorNamed: name, in: "$.match.operator")
    }

    #expect(error?.description == "$.match.operator: \(sentence)")
  }

  @Test(
    "a rule acts on every nth match",
    arguments: [
      (nil, 3, nil, [3, 6, 9]), (1, 3, nil, [1, 4, 7]), (2, 3, nil, [2, 5, 8]), (nil, 3, 2, [3, 6]),
      (nil, 1, nil, Array(1...9)),
    ] as [(Int?, Int, Int?, [Int])])
  func every(nth: Int?, every: Int, times: Int?, acts: [Int]) {
    var occurrences = Occurrences()
    (occurrences.nth, occurrences.every, occurrences.times) = (nth, every, times)
    var counts = RuleCounts()

    #expect((1...9).filter { _ in occurrences.count(&counts, mayAct: true) } == acts)
  }

  @Test("a rate chooses its share of the messages, the same ones for the same seed")
  func rate() throws {
    func lost(_ world: World) throws -> [Int] {
      try set(#"{"match":{"rate":0.2},"outcome":"undeliverable"}"#, in: world)
      return try (1...500).filter { _ in try send(in: world).arrivesAt == nil }
    }

    let (first, second) = (try lost(world), try lost(World()))
    try world.sandbox.set(entropySeed: 7)
    let other = try lost(world)

    #expect((70...130).contains(first.count))
    #expect(second == first)
    #expect(other != first)
  }

  @Test("two rules with a rate choose independently")
  func independent() throws {
    try set(
      #"{"match":{"rate":0.5},"outcome":"undeliverable"}"#, #"{"match":{"rate":0.5},"outcome":"noReceipt"}"#)

    for _ in 1...100 { _ = try send() }

    let applied = try world.sandbox.scenarios.all.map(\.counts.applied)
    #expect((35...65).contains(applied[0]))
    #expect((10...40).contains(applied[1]))
  }

  @Test("a rate and every nth go on after a restart, where a failed request is not counted")
  func durable() throws {
    let directory = try TemporaryDirectory()
    let world = try World(directory.database)
    try set(#"{"match":{"every":3},"outcome":"undeliverable"}"#, in: world)
    for _ in 1...2 { _ = try send(in: world) }
    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        #expect(try send(in: world).arrivesAt == nil)
        throw TestError()
      }
    }
    try world.sandboxes.commit()
    world.close()

    #expect(try send(in: World(directory.database)).arrivesAt == nil)
  }

  @Test("a subscriber's own scenario acts on every nth match too")
  func ownScenario() throws {
    var subscriber = try world.sandbox.subscribers[number("+12025550100")]
    try subscriber.merge(Fields(#"{"scenarios":[{"match":{"every":2},"outcome":"undeliverable"}]}"#))
    try world.sandbox.subscribers.keep(subscriber)

    #expect(try (1...4).filter { _ in try send().arrivesAt == nil } == [2, 4])
  }

  @Test("the new members are written as they were parsed, and exported")
  func form() throws {
    let document =
      #"{"match":{"number":null,"channel":null,"sender":null,"provider":null,"country":"FR","prefix":"+336","#
      + #""operator":"Wren Mobile","roaming":true,"nth":null,"rate":0.25},"outcome":"slow","afterMs":null,"err":null,"#
      + #""times":null}"#

    #expect(
      try String(decoding: Scenario.schema.encode(Scenario(Fields(document))), as: UTF8.self) == document)
  }

  @Test("the effect of a rule is named in words")
  func effect() throws {
    let scenario = try Scenario(
      Fields(
        #"{"match":{"channel":"sms","country":"FR","roaming":true,"every":3},"outcome":"undeliverable"}"#))

    #expect(scenario.effect == "sms to numbers in FR that roam, one of 3: lost")
  }

  private func number(_ text: String) throws -> PhoneNumber { try #require(PhoneNumber(text)) }

  private func send(to text: String = "+12025550100", in other: World? = nil) throws -> Message {
    let sandbox = (other ?? world).sandbox
    return try sandbox.messages.submit(.text("1234", to: text), to: sandbox.subscribers[number(text)])
  }

  private func set(_ documents: String..., in other: World? = nil) throws {
    try (other ?? world).sandbox.scenarios.replace(with: documents.map { try Scenario(Fields($0)) })
  }
}
