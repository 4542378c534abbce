import Domain
import Testing

@Suite("Control · subscribers")
struct SubscriberRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  static let happy =
    #"{"number":"+12025550177","code":null,"lineType":"mobile","operator":"Sandpiper Mobile","country":"US","#
    + #""mcc":"001","mnc":"01","coversSilent":false,"originalMcc":"001","originalMnc":"01","ported":false,"portedAt":null,"#
    + #""contract":"PAYM","activatedAt":"2023-01-06T10:20:30Z","#
    + #""subscriberPeriods":[{"from":"2023-01-06T10:20:30Z","to":null}],"deactivatedAt":null,"#
    + #""suspended":false,"barring":[],"forwarding":[],"throttled":false,"contentLock":null,"#
    + #""parentalControl":null,"imsi":"001012025550177","imei":"001013015501770","#
    + #""iccid":"890010120255501775","simCard":"connected","#
    + #""handset":{"manufacturer":null,"model":null,"softwareVersion":null},"#
    + #""simSwaps":[],"deviceSwaps":[],"reach":{"sms":true,"data":true},"#
    + #""roaming":{"on":false,"mcc":null,"countries":[]},"#
    + #""session":{"on":true,"ip":"127.10.1.78","port":null,"natIp":null,"natPort":null,"ipv6":null},"#
    + #""interference":"none","consent":{},"risk":null,"whatsapp":true,"rcs":true,"pushes":null,"#
    + #""preferredChannel":null,"email":null,"kyc":{},"optOut":[],"scenarios":[]}"#

  @Test("a number without a record is a plain line")
  func fetch() throws {
    #expect(try desk.ask("GET /control/subscribers/+12025550177") == "200 \(Self.happy)")
  }

  @Test("a percent-encoded plus sign works too")
  func encoded() throws {
    #expect(try desk.ask("GET /control/subscribers/%2B12025550177") == "200 \(Self.happy)")
  }

  @Test("a body changes only the members that it names")
  func put() throws {
    let changed = Self.happy.replacing(#""code":null"#, with: #""code":"4711""#).replacing(
      #""sms":true"#, with: #""sms":false"#)

    #expect(
      try desk.ask("PUT /control/subscribers/+12025550177", #"{"code":"4711","reach":{"sms":false}}"#)
        == "200 \(changed)")
    #expect(try desk.ask("PUT /control/subscribers/+12025550177", "{}") == "200 \(changed)")
    #expect(try desk.ask("GET /control/subscribers/+12025550177") == "200 \(changed)")
  }

  @Test("an answer can be sent back as a request")
  func putBack() throws {
    #expect(try desk.ask("PUT /control/subscribers/+12025550177", Self.happy) == "200 \(Self.happy)")
  }

  @Test("without its record a number is a plain line again")
  func delete() throws {
    _ = try desk.ask("PUT /control/subscribers/+12025550177", #"{"lineType":"pager"}"#)

    let answers = try ["DELETE", "DELETE", "GET"].map {
      try desk.ask("\($0) /control/subscribers/+12025550177")
    }

    #expect(answers == ["204", #"404 {"error":"there is no record of +12025550177"}"#, "200 \(Self.happy)"])
  }

  @Test("records are listed by number")
  func list() throws {
    try desk.sandbox.subscribers.all.forEach { _ = try desk.sandbox.subscribers.forget($0.number) }
    let empty = try desk.ask("GET /control/subscribers")
    _ = try desk.ask("PUT /control/subscribers/+12025550177", "{}")

    #expect(empty == #"200 {"subscribers":[],"cursor":"","hasMore":false}"#)
    #expect(
      try desk.ask("GET /control/subscribers")
        == #"200 {"subscribers":[\#(Self.happy)],"cursor":"+12025550177","hasMore":false}"#)
  }
}
