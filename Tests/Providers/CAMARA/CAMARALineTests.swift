import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · recycling, forwarding and status of lines", .contract("camara.md 8"))
struct CAMARALineTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private static let recycling = "/number-recycling/v0.2/check"
  private static let forwarding = "/call-forwarding-signal/v0.4"
  private static let status = "/subscription-status/v0.1/"

  private func recycled(_ day: String, _ number: String = "+12025550108") throws -> Exchange {
    try camara.ask(Self.recycling, about(number, #""specifiedDate":"\#(day)""#))
  }

  @Test("M40: a number is recycled since every day before its present contract")
  func recycling() throws {
    let days = ["2025-12-05", "2025-12-06", "2025-12-07", "2025-11-01", "2026-01-05"]
    let answers = try days.map { try recycled($0).answer }

    try recycled(days[0]).matches(golden: "recycled")
    #expect(
      answers == [true, false, false, true, false].map { #"200 {"phoneNumberRecycled":\#($0)}"# })
    #expect(try camara.error(recycled("2026-01-06")) == "400 OUT_OF_RANGE")
    #expect(try camara.error(recycled("2024-13-01")) == "400 INVALID_ARGUMENT")
    #expect(try camara.error(recycled("2020-01-01")) == "400 OUT_OF_RANGE")
    #expect(try camara.error(camara.ask(Self.recycling, about(CAMARAWorld.a))) == "400 INVALID_ARGUMENT")
  }

  @Test("M40: a number without a contract has no holder")
  func noContract() throws {
    try camara.subscriber(
      CAMARAWorld.a, #"{"subscriberPeriods":[{"from":"2024-01-01","to":"2025-01-01"}]}"#)

    #expect(try camara.error(recycled("2024-06-01", CAMARAWorld.a)) == "404 IDENTIFIER_NOT_FOUND")
    #expect(try camara.error(recycled("2024-06-01", "+12025550132")) == "404 IDENTIFIER_NOT_FOUND")
  }

  @Test("M41: forwarding is unconditional, conditional or inactive")
  func forwarding() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"forwarding":["busy","noAnswer"]}"#)
    func answers(_ number: String) throws -> [String] {
      let unconditional = try camara.ask("\(Self.forwarding)/unconditional-call-forwardings", about(number))
      let all = try camara.ask("\(Self.forwarding)/call-forwardings", about(number))
      unconditional.matches(golden: "\(number.suffix(2))")
      all.matches(golden: "\(number.suffix(2))")
      return [unconditional.answer, all.answer]
    }

    #expect(try answers("+12025550139") == [#"200 {"active":true}"#, #"200 ["unconditional"]"#])
    #expect(
      try answers(CAMARAWorld.a) == [
        #"200 {"active":false}"#, #"200 ["conditional_busy","conditional_no_answer"]"#,
      ])
    #expect(try answers(CAMARAWorld.b) == [#"200 {"active":false}"#, #"200 ["inactive"]"#])
  }

  @Test("an operator may offer unconditional forwarding only")
  func notImplemented() throws {
    try camara.configure(#""callForwardings":"501""#)

    #expect(
      try camara.error(camara.ask("\(Self.forwarding)/call-forwardings", about(CAMARAWorld.a)))
        == "501 NOT_IMPLEMENTED")
    #expect(
      try camara.ask("\(Self.forwarding)/unconditional-call-forwardings", about(CAMARAWorld.a)).answer
        .hasPrefix("200"))
  }

  @Test(
    "M42: the status of a line follows from its barring, by either spelling of the path",
    arguments: [
      ("{}", "active active active"), (#"{"barring":["data"]}"#, "active active suspended"),
      (#"{"suspended":true}"#, "suspended suspended suspended"),
      (#"{"throttled":true}"#, "active active throttled"),
      (#"{"barring":["smsIn"]}"#, "active active active"),
      (#"{"barring":["smsIn","voiceIn"]}"#, "suspended active active"),
      (#"{"barring":["smsOut","voiceOut","data"],"throttled":true}"#, "active suspended suspended"),
    ])
  func status(record: String, words: String) throws {
    try camara.subscriber(CAMARAWorld.a, record)

    for name in ["retrive-subscription-status", "retrieve-subscription-status"] {
      let exchange = try camara.ask(Self.status + name, about(CAMARAWorld.a))
      if record == "{}" { exchange.matches(golden: "active") }
      let fields = try camara.fields(of: exchange)
      #expect(
        try ["voiceSmsIn", "voiceSmsOut", "dataService"].map(fields.string).joined(separator: " ") == words)
    }
  }
}
