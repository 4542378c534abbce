import Basics
import Database
import Domain
import Foundation
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · subscribers")
struct SubscriberTests {
  let world: World
  let number: PhoneNumber

  init() throws {
    world = try World()
    number = try #require(PhoneNumber("+12025550100"))
  }

  @Test("a number without a record has all defaults of a mobile line")
  func happy() throws {
    let plain = try #require(PhoneNumber("+447700900123"))

    #expect(
      written(try world.sandbox.subscribers[plain])
        == #"{"number":"+447700900123","code":null,"lineType":"mobile","operator":"Sandpiper Mobile","#
        + #""country":"GB","mcc":"001","mnc":"01","coversSilent":false,"originalMcc":"001","originalMnc":"01","#
        + #""ported":false,"portedAt":null,"contract":"PAYM","activatedAt":"2023-01-06T10:20:30Z","#
        + #""subscriberPeriods":[{"from":"2023-01-06T10:20:30Z","to":null}],"deactivatedAt":null,"#
        + #""suspended":false,"barring":[],"forwarding":[],"throttled":false,"#
        + #""contentLock":null,"parentalControl":null,"imsi":"001017700900123","imei":"001013019001231","#
        + #""iccid":"890010177009001239","simCard":"connected","#
        + #""handset":{"manufacturer":null,"model":null,"softwareVersion":null},"#
        + #""simSwaps":[],"deviceSwaps":[],"reach":{"sms":true,"data":true},"#
        + #""roaming":{"on":false,"mcc":null,"countries":[]},"#
        + #""session":{"on":true,"ip":null,"port":null,"natIp":null,"natPort":null,"ipv6":null},"#
        + #""interference":"none","#
        + #""consent":{},"risk":null,"whatsapp":true,"rcs":true,"pushes":null,"preferredChannel":null,"#
        + #""email":null,"kyc":{},"optOut":[],"scenarios":[]}"#)
  }

  @Test("45 A2: the record of the fuzzer and of schemathesis has every fact, and is one")
  func filled() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let fields = try Fields(Array(Data(contentsOf: tests.appending(path: "Fuzz/filled-subscriber.json"))))
    var subscriber = Subscriber(happyLineOf: number, since: TestSandbox.start)
    let facts = Subscriber.schema.object.members.map(\.name).filter { $0 != "number" }

    try subscriber.merge(fields)
    try fields.requireAllRead(of: Subscriber.schema.object)

    #expect(fields.names.sorted() == facts.sorted())
    #expect(Person.Trait.allCases.allSatisfy { subscriber.kyc[$0] != nil })
  }

  /// A record in which every member says something else than a happy line's.
  static let everything =
    #"{"number":"+447700900123","code":"4711","lineType":"landline","operator":"Fixed","country":"CA","#
    + #""mcc":"302","mnc":"720","coversSilent":true,"originalMcc":"310","originalMnc":"410","ported":true,"#
    + #""portedAt":"2026-01-02T10:20:30Z","contract":"PAYG","activatedAt":"2025-01-05T00:00:00Z","#
    + #""subscriberPeriods":[{"from":"2020-01-01T00:00:00Z","to":"2024-01-01T00:00:00Z"},"#
    + #"{"from":"2025-01-05T00:00:00Z","to":null}],"deactivatedAt":"2026-01-04T10:20:30Z","suspended":true,"#
    + #""barring":["smsIn","data"],"forwarding":["busy","noAnswer"],"throttled":true,"#
    + #""contentLock":true,"parentalControl":false,"imsi":"302720123456789","#
    + #""imei":"490154203237518","iccid":"8930272012345678901","simCard":"none","#
    + #""handset":{"manufacturer":"Plover","model":"Plover 3","softwareVersion":"07"},"#
    + #""simSwaps":["2025-12-05T10:20:30Z"],"#
    + #""deviceSwaps":["2026-01-05T09:20:30Z"],"reach":{"sms":false,"data":false},"#
    + #""roaming":{"on":true,"mcc":"208","countries":["FR","MC"]},"session":{"on":false,"ip":"127.10.9.9","#
    + #""port":4000,"natIp":"203.0.113.7","natPort":40001,"ipv6":"2001:db8:0:1:0:0:0:7"},"#
    + #""interference":"vpn","#
    + #""consent":{"*":"denied","dpv:FraudPreventionAndDetection":"granted"},"#
    + #""risk":{"score":870,"reasons":["velocity"]},"whatsapp":false,"rcs":false,"#
    + #""pushes":"deny","preferredChannel":"whatsapp","email":"a@example.test","#
    + #""kyc":{"idDocumentType":"passport","idDocumentExpiryDate":"2030-01-31","givenName":"Ada","#
    + #""birthdate":"1990-01-31","cityOfBirth":"Bath","countryOfBirth":"GB","nationality":"GB"},"optOut":["Acme"],"#
    + #""scenarios":[{"match":{"number":null,"channel":"call","sender":null,"provider":null,"nth":2},"#
    + ##""outcome":"busy","afterMs":900,"err":null,"keys":"7#","times":1}]}"##

  @Test("every member changes its own field only, and a record is stored with all fields")
  func everyMember() throws {
    let number = try #require(PhoneNumber("+447700900123"))
    var subscriber = Subscriber(happyLineOf: number)
    try subscriber.merge(Fields(Self.everything))

    try world.sandbox.subscribers.keep(subscriber)

    #expect(written(subscriber) == Self.everything)
    #expect(written(try world.sandbox.subscribers[number]) == Self.everything)
    #expect(world.sandbox.subscribers.export(subscriber).text == Self.everything)
  }

  @Test("a record stores only differences from the defaults")
  func smallness() throws {
    for document in [
      "{}", #"{"lineType":"mobile","mcc":"001","code":null}"#, written(Subscriber(happyLineOf: number)),
    ] {
      var subscriber = try world.sandbox.subscribers[number]
      try subscriber.merge(
        Fields(document.replacing(#""coversSilent":false"#, with: #""coversSilent":true"#)))
      try world.sandbox.subscribers.keep(subscriber)

      #expect(try record() == "{}")
    }

    var subscriber = try world.sandbox.subscribers[number]
    try subscriber.merge(Fields(#"{"mcc":"310","simSwaps":["-3d","-500h"]}"#))
    try world.sandbox.subscribers.keep(subscriber)

    #expect(
      try record()
        == #"{"mcc":"310","originalMcc":"310","imsi":"310012025550100","iccid":"893100120255501002","#
        + #""simSwaps":["2026-01-02T10:20:30Z","2025-12-15T14:20:30Z"]}"#)
  }

  @Test("null clears an optional field")
  func takingBack() throws {
    var subscriber = Subscriber(happyLineOf: number)
    try subscriber.merge(Fields(Self.everything))

    try subscriber.merge(
      Fields(
        #"{"code":null,"portedAt":null,"deactivatedAt":null,"imsi":null,"imei":null,"iccid":null,"risk":null,"#
          + #""pushes":null,"preferredChannel":null,"email":null,"kyc":{"givenName":null},"roaming":{"mcc":null},"#
          + #""session":{"ip":null,"port":null,"natIp":null,"natPort":null,"ipv6":null},"#
          + #""handset":{"manufacturer":null,"model":null,"softwareVersion":null},"contentLock":null,"parentalControl":null}"#
      ))

    #expect(subscriber.code == nil && subscriber.portedAt == nil && subscriber.deactivatedAt == nil)
    #expect([subscriber.imsi, subscriber.imei] == ["302720025550100", "001013015501002"])
    #expect(subscriber.risk == nil && subscriber.preferredChannel == nil && subscriber.email == nil)
    #expect(subscriber.pushReaction == nil)
    #expect(subscriber.kyc[.givenName] == nil && subscriber.kyc[.birthdate] == "1990-01-31")
    #expect(subscriber.roaming.mcc == nil && subscriber.session.address == "127.10.1.1")
  }

  @Test("dates can be relative to the start of the sandbox's clock, or to a given time")
  func relativeDates() throws {
    try world.sandbox.advance(by: .seconds(86_400))
    var subscriber = try world.sandbox.subscribers[number]

    try subscriber.merge(
      Fields(#"{"portedAt":"-1d","deactivatedAt":"2026-01-04","simSwaps":["-1h30m"],"deviceSwaps":["-0s"]}"#))

    #expect(subscriber.ported)
    #expect(subscriber.portedAt == Timestamp("2026-01-04T10:20:30Z"))
    #expect(subscriber.deactivatedAt == Timestamp("2026-01-04T00:00:00Z"))
    #expect(subscriber.simSwaps == [Timestamp("2026-01-05T08:50:30Z")])
    #expect(subscriber.deviceSwaps == [TestSandbox.start])

    try subscriber.merge(Fields(#"{"simSwaps":["-1h30m"]}"#), at: world.sandbox.clock.now)

    #expect(subscriber.simSwaps == [Timestamp("2026-01-06T08:50:30Z")])
  }

  @Test("the start of the clock survives a restart and changes with a reset")
  func start() throws {
    let directory = try TemporaryDirectory()
    let world = try World(directory.database, clock: .real)
    world.wallClock.now = TestSandbox.start + .seconds(60)
    #expect(world.sandbox.startedAt == TestSandbox.start)
    world.close()

    let reopened = try World(directory.database, clock: .real)
    reopened.wallClock.now = TestSandbox.start + .seconds(90)
    #expect(reopened.sandbox.startedAt == TestSandbox.start)
    #expect(
      try reopened.sandboxes.reset(reopened.sandbox).startedAt == TestSandbox.start + .seconds(90))
  }

  @Test("a handset is found by its configured address, or by the default address of its number")
  func addresses() throws {
    let stated = try #require(PhoneNumber("+447700900123"))
    var subscriber = try world.sandbox.subscribers[stated]
    try subscriber.merge(Fields(#"{"session":{"ip":"127.10.200.1"}}"#))
    try world.sandbox.subscribers.keep(subscriber)
    var moved = try world.sandbox.subscribers[#require(PhoneNumber("+12025550101"))]
    try moved.merge(Fields(#"{"session":{"ip":"127.10.200.2"}}"#))
    try world.sandbox.subscribers.keep(moved)

    let holders = try [
      "127.10.1.1", "127.10.200.1", "127.10.1.2", "127.10.16.2", "127.10.115.100", "127.0.0.1",
    ].map {
      try world.sandbox.subscribers.holder(ofAddress: $0)?.number.description
    }

    #expect(holders == ["+12025550100", "+447700900123", nil, "+33639980001", "+33639989999", nil])
  }

  @Test("a handset is found by its public address, with a port or its own address, and by its IPv6 network")
  func publicAddresses() throws {
    let sessions = [
      (
        "+12025550100",
        #""ip":"10.0.0.1","natIp":"203.0.113.7","natPort":40001,"ipv6":"2001:db8:0:1:0:0:0:7""#
      ),
      ("+12025550101", #""ip":"10.0.0.2","natIp":"203.0.113.7","natPort":40002"#),
      ("+12025550103", #""natIp":"203.0.113.7","natPort":40003,"on":false"#),
    ]
    for (number, session) in sessions {
      var subscriber = try world.sandbox.subscribers[#require(PhoneNumber(number))]
      try subscriber.merge(Fields(#"{"session":{\#(session)}}"#))
      try world.sandbox.subscribers.keep(subscriber)
    }
    func endings(_ holders: [Subscriber]) -> [String] {
      holders.map { String($0.number.description.suffix(2)) }
    }
    let subscribers = world.sandbox.subscribers

    #expect(try endings(subscribers.holders(ofPublicAddress: "203.0.113.7")) == ["00", "01"])
    #expect(try endings(subscribers.holders(ofPublicAddress: "203.0.113.7", port: 40002)) == ["01"])
    #expect(try endings(subscribers.holders(ofPublicAddress: "203.0.113.7", port: 40003)) == [])
    #expect(
      try endings(subscribers.holders(ofPublicAddress: "203.0.113.7", privateAddress: "10.0.0.1")) == ["00"])
    #expect(try endings(subscribers.holders(ofPublicAddress: "10.0.0.1")) == [])
    #expect(try endings(subscribers.holders(ofIPv6Address: "2001:db8:0:1:0:0:0:0")) == ["00"])
    #expect(try endings(subscribers.holders(ofIPv6Address: "2001:db8:0:11:0:0:0:0")) == [])
  }

  @Test(
    "members that are not named are unchanged",
    arguments: [
      "{}", #"{"lineType":null,"operator":null,"country":null,"mcc":null,"mnc":null,"reach":null}"#,
      #"{"reach":{}}"#,
    ])
  func rest(document: String) throws {
    var subscriber = Subscriber(happyLineOf: number)
    try subscriber.merge(Fields(#"{"code":"4711","lineType":"pager","operator":"X","reach":{"sms":false}}"#))
    let before = subscriber

    try subscriber.merge(Fields(document))

    #expect(subscriber == before)
  }

  @Test("a null code removes the fixed code")
  func noCode() throws {
    var subscriber = Subscriber(happyLineOf: number)
    subscriber.code = "4711"

    try subscriber.merge(Fields(#"{"code":null}"#))

    #expect(subscriber.code == nil)
  }

  @Test("every line type is parsed and written by its name", arguments: LineType.allCases)
  func lineTypes(type: LineType) throws {
    var subscriber = Subscriber(happyLineOf: number)

    try subscriber.merge(Fields(#"{"lineType":"\#(type.rawValue)"}"#))

    #expect(subscriber.lineType == type)
  }

  @Test("a newer record replaces the old one")
  func replacing() throws {
    var subscriber = Subscriber(happyLineOf: number)
    try world.sandbox.subscribers.keep(subscriber)

    subscriber.code = "4711"
    try world.sandbox.subscribers.keep(subscriber)

    #expect(try world.sandbox.subscribers.all == [subscriber])
  }

  @Test("records are listed by number")
  func list() throws {
    for text in ["+447700900123", "+12025550101", "+12025550100"] {
      try world.sandbox.subscribers.keep(Subscriber(happyLineOf: #require(PhoneNumber(text))))
    }

    #expect(
      try world.sandbox.subscribers.all.map(\.number.description) == [
        "+12025550100", "+12025550101", "+447700900123",
      ])
  }

  @Test("without its record, a number has the defaults again")
  func forgetting() throws {
    var subscriber = Subscriber(happyLineOf: number)
    subscriber.lineType = .pager
    try world.sandbox.subscribers.keep(subscriber)

    let had = [try world.sandbox.subscribers.forget(number), try world.sandbox.subscribers.forget(number)]

    #expect(had == [true, false])
    #expect(try world.sandbox.subscribers[number] == world.sandbox.subscribers.unrecorded(number))
  }

  private func record() throws -> String? {
    try world.database.first("SELECT record FROM subscribers WHERE sandbox = 1") { $0.text(0) }
  }

  private func written(_ subscriber: Subscriber) -> String {
    String(decoding: Subscriber.schema.encode(subscriber), as: UTF8.self)
  }
}
