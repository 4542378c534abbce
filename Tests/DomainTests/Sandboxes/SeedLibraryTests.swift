import Basics
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · seeds")
struct SeedLibraryTests {
  @Test("a document loads subscribers, scenarios, faults and the providers' sections")
  func loading() throws {
    let world = try World(sections: [Toy.self])

    try load(
      #"{"subscribers":[{"number":"+12025550100","code":"4711"}],"scenarios":[{"outcome":"slow"}],"#
        + #""faults":[{"status":503}],"toy":{"things":["a","b"]}}"#, into: world)

    #expect(
      try world.sandboxes.seeds.export(from: world.sandbox)
        == JSON(
          #"{"isExport":true,"subscribers":[{"number":"+12025550100","code":"4711"}],"devices":[],"#
            + #""scenarios":[{"match":{"number":null,"channel":null,"sender":null,"provider":null,"nth":null},"#
            + #""outcome":"slow","afterMs":null,"err":null,"times":null}],"#
            + #""faults":[{"provider":null,"route":null,"number":null,"nth":null,"times":null,"status":503,"#
            + #""code":null,"retryAfter":null,"latencyMs":null,"damage":null}],"webhookFaults":[],"latency":[],"limits":[],"numberPrefixes":[],"#
            + #""inbox":{"ownCodes":"on","codeWords":[]},"keys":{},"toy":{"things":["a","b"]}}"#
        ))
  }

  @Test("a key is saved with its public key, and an export masks it")
  func keys() throws {
    let world = try TestSandbox()
    let key = try #require(try world.sandbox.keys[.webhooks])
    let export = try world.sandboxes.seeds.export(from: world.sandbox)

    try load(#"{"keys":{"webhooks":"********"}}"#, into: world)

    #expect(key.publicPEM.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
    #expect(export.text.contains(#""keys":{"webhooks":"********","accounts":"********"}"#))
    #expect(try world.sandbox.keys[.webhooks] == key)
  }

  @Test("an invalid key is rejected", arguments: ["", "nonsense", "-----BEGIN PRIVATE KEY-----\\nAAAA"])
  func badKey(pem: String) throws {
    let world = try TestSandbox()

    let error = #expect(throws: FieldError.self) {
      try load(#"{"keys":{"webhooks":"\#(pem)"}}"#, into: world)
    }

    #expect(error?.path == "$.keys.webhooks")
    #expect(error?.expected == "a private RSA key of 2048 to 4096 bits, in PEM")
  }

  @Test("an export loads back to an equal export")
  func roundTrip() throws {
    let world = try World(sections: [Toy.self])
    try load(
      #"{"subscribers":[{"number":"+12025550100","code":"4711","reach":{"sms":false}},{"number":"+819012345678"}],"#
        + #""scenarios":[{"match":{"number":"+12025550100","nth":2},"outcome":"slow","afterMs":5,"times":3}],"#
        + #""faults":[{"provider":"toy","code":60203,"damage":"truncate"}],"toy":{"things":["a"]}}"#,
      into: world)
    let export = try world.sandboxes.seeds.export(from: world.sandbox)

    let other = try World(sections: [Toy.self])
    try load(export.text, into: other)

    #expect(try other.sandboxes.seeds.export(from: other.sandbox) == export)
  }

  @Test("the default seed's export loads back to an equal export")
  func defaultStory() throws {
    let world = try TestSandbox()
    let export = try world.sandboxes.seeds.export(from: world.sandbox)

    let fresh = try world.sandboxes.reset(world.sandbox)
    try world.sandboxes.seeds.load(Fields(export.encoded()), into: fresh)

    #expect(try world.sandboxes.seeds.export(from: fresh) == export)
  }

  @Test("loading changes only the subscribers in the document")
  func merging() throws {
    let world = try World()
    try load(
      #"{"subscribers":[{"number":"+12025550100","code":"4711"},{"number":"+12025550101"}]}"#, into: world)

    try load(#"{"subscribers":[{"number":"+12025550100","lineType":"pager"}]}"#, into: world)

    #expect(
      try world.sandbox.subscribers.all.map { "\($0.number) \($0.code ?? "-") \($0.lineType)" } == [
        "+12025550100 4711 pager", "+12025550101 - mobile",
      ])
  }

  @Test("$schema is allowed, at the top level only")
  func schemaMember() throws {
    let world = try World()

    try load(#"{"$schema":"../schema.json","subscribers":[{"number":"+12025550101"}]}"#, into: world)
    let deeper = #expect(throws: FieldError.self) {
      try load(#"{"subscribers":[{"$schema":"../schema.json","number":"+12025550101"}]}"#, into: world)
    }

    #expect(try world.sandbox.subscribers.all.map(\.number.description) == ["+12025550101"])
    #expect(deeper?.path == "$.subscribers[0].$schema")
  }

  @Test("a document without scenarios keeps the existing ones")
  func leavingRules() throws {
    let world = try World()
    try load(#"{"scenarios":[{"outcome":"slow"}]}"#, into: world)

    try load(#"{"subscribers":[]}"#, into: world)

    #expect(try world.sandbox.scenarios.all.map(\.rule.outcome) == ["slow"])
  }

  @Test(
    "an error in a document has the path, the expected and the found value",
    arguments: [
      (
        #"{"subscribers":[{"number":"+12025550100"},{"number":"12"}]}"#,
        #"$.subscribers[1].number: expected a phone number such as +12025550100; found "12""#
      ),
      (
        #"{"subscribers":[{"number":"+12025550100"},{"number":"+12025550100"}]}"#,
        #"$.subscribers[1].number: expected a number that no other record of this seed has; found "+12025550100""#
      ),
      (#"{"subscribers":{}}"#, "$.subscribers: expected an array of objects; found an object"),
      (#"{"subscribers":[1]}"#, "$.subscribers[0]: expected an object; found 1"),
      (
        #"{"scenarios":[{"outcome":"boom"}]}"#,
        #"$.scenarios[0].outcome: expected one of \#(Outcomes.names.joined(separator: ", ")); found "boom""#
      ),
      (#"{"faults":[{"status":99}]}"#, "$.faults[0].status: expected an integer from 400 to 599; found 99"),
      (#"{"toy":{"things":[1]}}"#, "$.toy.things[0]: expected a string; found 1"),
      (#"{"$schema":1}"#, "$.$schema: expected a string; found 1"),
      (#"{"subscriber":[]}"#, #"$.subscriber: unknown field; did you mean "subscribers"?"#),
      (
        #"{"subscribers":[{"number":"+12025550100","cod":"1"}]}"#,
        #"$.subscribers[0].cod: unknown field; did you mean "code"?"#
      ),
      (
        #"{"scenarios":[{"outcome":"slow","match":{"numbr":""}}]}"#,
        #"$.scenarios[0].match.numbr: unknown field; did you mean "number"?"#
      ),
      (#"{"toy":{"thing":[]}}"#, #"$.toy.thing: unknown field; did you mean "things"?"#),
    ])
  func mistakes(document: String, sentence: String) throws {
    let world = try World(sections: [Toy.self])

    let error = #expect(throws: FieldError.self) { try load(document, into: world) }

    #expect(error?.description == sentence)
  }

  @Test(
    "an error in a seed has the name of the file",
    arguments: [
      (
        #"{"faults":[{"status":99}]}"#,
        "b.json: $.faults[0].status: expected an integer from 400 to 599; found 99"
      ),
      ("[]", "b.json: $: expected an object; found an array"),
      (#"{"extra":1}"#, "b.json: $.extra: unknown field"),
    ])
  func mistakesInFiles(document: String, sentence: String) {
    let files = [("a.json", "{}"), ("b.json", document)].map {
      SeedLibrary.File(name: $0, bytes: Array($1.utf8))
    }

    let error = #expect(throws: FieldError.self) { try World(seeds: ["default": files]) }

    #expect(error?.description == sentence)
  }

  @Test("a syntax error in a file has the name of the file and the position")
  func noJSON() {
    let file = SeedLibrary.File(name: "b.json", bytes: Array(#"{"faults":]}"#.utf8))

    let error = #expect(throws: FieldError.self) { try World(seeds: ["default": [file]]) }

    #expect(error?.path == "b.json: $")
    #expect(error?.expected.hasSuffix("at byte 10") == true)
    #expect(error?.found == #""]""#)
  }

  @Test("a new sandbox gets the accounts of each section")
  func provision() throws {
    let world = try World(sections: [Toy.self])
    let made = try #require(try world.sandboxes.create("ci", .init()))

    #expect(try made.accounts.all(of: "toy").map(\.name) == ["key of ci"])
    #expect(try world.sandboxes.owner(ofCredential: "key of ci", provider: "toy") === made)
  }

  @Test("every new sandbox has the records of its seed, with times that count from the start of its clock")
  func recordsOfLaterSandboxes() throws {
    let world = try TestSandbox()
    let swapped = try #require(PhoneNumber("+447700900124"))

    for hour in [1, 2, 2, 3] {
      var configuration = Sandbox.Configuration()
      configuration.clock = .frozen(world.sandbox.clock.now + .seconds(3600 * hour))
      let sandbox = try #require(try world.sandboxes.create("hour-\(hour)", configuration))

      let records = try sandbox.subscribers.all
      #expect(try records.map(\.number) == world.sandbox.subscribers.all.map(\.number))
      #expect(records.first { $0.number == swapped }?.simSwaps == [sandbox.startedAt - .seconds(7200)])
      #expect(records.count { $0.preferredChannel == .whatsapp } == 1)
      try world.sandboxes.remove(sandbox)
    }
  }

  private func load(_ document: String, into world: World) throws {
    try world.sandboxes.seeds.load(Fields(document), into: world.sandbox)
  }

  private func load(_ document: String, into world: TestSandbox) throws {
    try world.sandboxes.seeds.load(Fields(document), into: world.sandbox)
  }
}

/// A provider that keeps things on the records and gives each sandbox one key.
private enum Toy: Seeded {
  static let name = "toy"
  static var seed: SeedForm {
    SeedForm(
      "Toy",
      [
        SeedMember("things", .array(.string()), "The things.") { part, sandbox, _ in
          for thing in try part.optionalStrings("things") ?? [] {
            try sandbox.records.save(Array("{}".utf8), under: thing, of: "toy", in: things)
          }
        } export: {
          .array(try $0.records.all(things).map { .string($0.key) })
        }
      ])
  }

  static func createCredentials(in sandbox: Sandbox) throws {
    let name = "key of \(sandbox.name)"
    _ = try sandbox.accounts.register(Credential(provider: "toy", name: name, secret: "s", account: name))
  }

  static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    try sandbox.accounts.all(of: "toy").map { (name: "key", value: $0.name) }
  }

  private static let things = RecordStore.Section(provider: "toy", kind: "thing")
}
