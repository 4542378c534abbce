import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · swaps of SIM cards and devices", .contract("camara.md 6"))
struct CAMARASwapTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private static let sim = "/sim-swap/v2"
  private static let device = "/device-swap/v1"

  @Test("M31: a number that was never swapped has the date of its activation, if the operator still knows it")
  func neverSwapped() throws {
    let path = "\(Self.sim)/retrieve-date"
    let exchange = try camara.ask(path, about(CAMARAWorld.a))
    try camara.configure(#""monitoredPeriod":90"#)

    exchange.matches(golden: "activation")
    #expect(exchange.answer == #"200 {"latestSimChange":"2023-01-06T10:20:30.000Z"}"#)
    #expect(
      try camara.ask(path, about(CAMARAWorld.a)).answer
        == #"200 {"latestSimChange":null,"monitoredPeriod":90}"#)
    #expect(
      try camara.ask(path, about("+12025550102")).answer
        == #"200 {"latestSimChange":"2026-01-02T10:20:30.000Z"}"#)
  }

  @Test(
    "46 C6: a number without a SIM card, or with one that no network has seen, has no date and no device",
    arguments: ["none", "neverConnected"])
  func noDevice(card: String) throws {
    try camara.subscriber(CAMARAWorld.a, #"{"simCard":"\#(card)"}"#)
    let date = try camara.ask("\(Self.sim)/retrieve-date", about(CAMARAWorld.a))
    let check = try camara.ask("\(Self.sim)/check", about(CAMARAWorld.a, #""maxAge":2400"#))
    let device = #"{"device":\#(about(CAMARAWorld.a))}"#
    let refused = try [
      camara.ask("\(Self.device)/check", about(CAMARAWorld.a)),
      camara.ask("\(Self.device)/retrieve-date", about(CAMARAWorld.a)),
      camara.ask("/device-identifier/v0.3/retrieve-identifier", device),
    ]
    let reach = try camara.ask("/device-reachability-status/v1/retrieve", device)
    try camara.advance(60)
    try camara.event(CAMARAWorld.a, #""event":"attach""#)

    #expect(date.answer == #"200 {"latestSimChange":null}"# && check.answer == #"200 {"swapped":false}"#)
    #expect(try refused.map(camara.error) == Array(repeating: "422 SERVICE_NOT_APPLICABLE", count: 3))
    #expect(reach.answer.hasSuffix(#""reachable":false}"#))
    #expect(
      try camara.ask("\(Self.device)/retrieve-date", about(CAMARAWorld.a)).answer
        == #"200 {"latestDeviceChange":"2026-01-05T10:21:30.000Z"}"#)
  }

  @Test("a contract, a port and a new holder count as swaps, unless a setting says otherwise")
  func newSIM() throws {
    func date(_ number: String) throws -> String {
      String(try camara.ask("\(Self.sim)/retrieve-date", about(number)).answer.dropFirst(24).prefix(10))
    }
    let before = try ["+12025550105", "+12025550108"].map(date)
    try camara.configure(#""newSimCountsAsSwap":false"#)

    #expect(before == ["2025-12-26", "2025-12-06"])
    #expect(try ["+12025550105", "+12025550108"].map(date) == ["2023-01-06", "2025-12-06"])
    #expect(
      try camara.ask("\(Self.sim)/check", about("+12025550105", #""maxAge":2400"#)).answer
        == #"200 {"swapped":false}"#)
  }

  @Test(
    "M32: a maxAge of another type is an invalid argument, one outside of the operator's range is out of range",
    arguments: [
      (#""ten""#, "400 INVALID_ARGUMENT"), ("100000", "400 OUT_OF_RANGE"), ("2401", "400 OUT_OF_RANGE"),
      ("1.5", "400 INVALID_ARGUMENT"), ("0", "400 OUT_OF_RANGE"),
    ])
  func maxAge(value: String, error: String) throws {
    for path in [Self.sim, Self.device] {
      let exchange = try camara.ask("\(path)/check", about(CAMARAWorld.a, #""maxAge":\#(value)"#))
      #expect(try camara.error(exchange) == error)
    }
  }

  @Test("M32: the operator's own period limits maxAge")
  func monitoredPeriod() throws {
    func check(_ hours: Int) throws -> Exchange {
      try camara.ask("\(Self.sim)/check", about("+12025550102", #""maxAge":\#(hours)"#))
    }
    try camara.configure(#""monitoredPeriod":30"#)

    #expect(try camara.error(check(721)) == "400 OUT_OF_RANGE")
    #expect(try check(720).answer == #"200 {"swapped":true}"#)
    try camara.configure(#""maxAgeBelowOne":"INVALID_ARGUMENT""#)
    #expect(try camara.error(check(0)) == "400 INVALID_ARGUMENT")
  }

  @Test("M33: a token of a subscriber needs no number, and allows none")
  func identifiers() throws {
    for path in ["\(Self.sim)/check", "\(Self.device)/check", "\(Self.device)/retrieve-date"] {
      let errors = try [
        camara.ask(path), camara.ask(path, about(CAMARAWorld.a), as: CAMARAWorld.a),
        camara.ask(path, about(CAMARAWorld.b), as: CAMARAWorld.a), camara.ask(path, about("+12025550132")),
        camara.ask(path, about("+12025550112")),
      ].map(camara.error)

      #expect(
        errors == [
          "422 MISSING_IDENTIFIER", "422 UNNECESSARY_IDENTIFIER", "422 UNNECESSARY_IDENTIFIER",
          "404 IDENTIFIER_NOT_FOUND", "422 SERVICE_NOT_APPLICABLE",
        ])
      #expect(try camara.ask(path, as: CAMARAWorld.a).answer.hasPrefix("200"))
    }
  }

  @Test("M34: the event simSwap is a swap, and ends the data session")
  func event() throws {
    try camara.event(CAMARAWorld.a, #""event":"simSwap""#)

    #expect(
      try camara.ask("\(Self.sim)/check", #"{"maxAge":1}"#, as: CAMARAWorld.a).answer
        == #"200 {"swapped":true}"#)
    #expect(
      try camara.world.send(.to("/control/subscribers/+12025550100")).answer.contains(
        #""session":{"on":false"#))
  }

  @Test("M35: the age of a device swap grows with the clock, and its date stays")
  func deviceSwap() throws {
    let number = "+12025550160"
    func check() throws -> Exchange {
      try camara.ask("\(Self.device)/check", about(number, #""maxAge":2"#))
    }
    let first = try check()
    try camara.advance(7200)

    first.matches(golden: "swapped")
    #expect(first.answer == #"200 {"swapped":true}"#)
    #expect(try check().answer == #"200 {"swapped":false}"#)
    let date = try camara.ask("\(Self.device)/retrieve-date", about(number))
    date.matches(golden: "swapped")
    #expect(date.answer == #"200 {"latestDeviceChange":"2026-01-05T09:20:30.000Z"}"#)
    try camara.event(number, #""event":"deviceSwap""#)
    #expect(try check().answer == #"200 {"swapped":true}"#)
  }
}
