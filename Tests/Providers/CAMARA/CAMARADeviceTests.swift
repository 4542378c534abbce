import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · devices", .contract("camara.md 4, 10"))
struct CAMARADeviceTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private static let roaming = "/device-roaming-status/v1/retrieve"
  private static let reachability = "/device-reachability-status/v1/retrieve"
  private static let identifier = "/device-identifier/v0.3"

  private func ask(_ path: String, _ number: String) throws -> Exchange {
    try camara.ask(path, #"{"device":\#(about(number))}"#)
  }

  @Test("M48: a roaming device has the code and the country of the network, one at home has neither")
  func roaming() throws {
    let number = "+33639980037"
    let abroad = try ask(Self.roaming, number)
    try camara.event(number, #""event":"roam","roaming":{"on":false}"#)

    abroad.matches(golden: "abroad")
    #expect(
      abroad.answer
        == #"200 {"device":{"phoneNumber":"+33639980037"},"lastStatusTime":"2026-01-05T10:20:30.000Z","#
        + #""roaming":true,"countryCode":262,"countryName":["DE"]}"#)
    #expect(
      try camara.ask(Self.roaming, as: number).answer
        == #"200 {"lastStatusTime":"2026-01-05T10:20:30.000Z","roaming":false}"#)
  }

  @Test(
    "M49: reachability lists what reaches the device",
    arguments: [
      (false, true, #"true,"connectivity":["SMS"]"#), (true, false, #"true,"connectivity":["DATA"]"#),
      (true, true, #"true,"connectivity":["DATA","SMS"]"#), (false, false, "false"),
    ])
  func reachability(data: Bool, sms: Bool, answer: String) throws {
    try camara.subscriber(CAMARAWorld.a, #"{"reach":{"data":\#(data),"sms":\#(sms)}}"#)

    let exchange = try camara.ask(Self.reachability, as: CAMARAWorld.a)

    if data, sms { exchange.matches(golden: "both") }
    #expect(
      exchange.answer
        == #"200 {"lastStatusTime":"2026-01-05T10:20:30.000Z","reachable":\#(answer)}"#)
  }

  @Test(
    "M50: a device needs an identifier that the operator knows",
    arguments: [
      ("{}", "400 INVALID_ARGUMENT"),
      (#"{"ipv4Address":{"publicAddress":"203.0.113.7"}}"#, "400 INVALID_ARGUMENT"),
      (#"{"networkAccessIdentifier":"123456789@domain.com"}"#, "422 UNSUPPORTED_IDENTIFIER"),
      (#"{"ipv4Address":{"publicAddress":"203.0.113","publicPort":1}}"#, "400 INVALID_ARGUMENT"),
      (#"{"ipv4Address":{"publicAddress":"203.0.113.7","publicPort":1}}"#, "404 IDENTIFIER_NOT_FOUND"),
      (#"{"ipv6Address":"203.0.113.7"}"#, "400 INVALID_ARGUMENT"),
      (#"{"phoneNumber":"+12025550100","networkAccessIdentifier":null}"#, "400 INVALID_ARGUMENT"),
      (#"{"phoneNumber":"+12025550100","ipv4Address":null}"#, "400 INVALID_ARGUMENT"),
      (#"{"phoneNumber":"+12025550100","ipv6Address":null}"#, "400 INVALID_ARGUMENT"),
      (
        #"{"ipv4Address":{"publicAddress":"203.0.113.7","privateAddress":null,"publicPort":1}}"#,
        "400 INVALID_ARGUMENT"
      ),
      (#"{"phoneNumber":"+12025550132"}"#, "404 IDENTIFIER_NOT_FOUND"), ("3", "400 INVALID_ARGUMENT"),
    ])
  func refused(device: String, error: String) throws {
    for path in [Self.roaming, Self.reachability, "\(Self.identifier)/retrieve-type"] {
      let exchange = try camara.ask(path, #"{"device":\#(device)}"#)
      if device == "{}" { exchange.matches(golden: "no-identifier") }
      #expect(try camara.error(exchange) == error)
    }
  }

  @Test("only the API of identifiers has a code of its own for a port that cannot be")
  func port() throws {
    let device = #"{"device":{"ipv4Address":{"publicAddress":"203.0.113.7","publicPort":99999}}}"#

    for path in [Self.roaming, Self.reachability] {
      #expect(try camara.error(camara.ask(path, device)) == "400 INVALID_ARGUMENT")
    }
    #expect(
      try camara.error(camara.ask("\(Self.identifier)/retrieve-type", device)) == "400 OUT_OF_RANGE")
  }

  @Test("M51: an answer repeats the one identifier that was used, and none beside a token of a subscriber")
  func repeated() throws {
    try camara.subscriber(
      CAMARAWorld.a,
      #"{"session":{"natIp":"203.0.113.7","natPort":40001,"ip":"10.0.0.1","ipv6":"2001:db8:0:1:0:0:0:7"}}"#)
    func device(_ members: String) throws -> String {
      let answer = try camara.ask(Self.roaming, #"{"device":{\#(members)}}"#).answer
      return String(answer.dropFirst(4).prefix { $0 != "T" })
    }
    let ipv4 = #""ipv4Address":{"publicAddress":"203.0.113.7","publicPort":40001}"#
    let ipv6 = #""ipv6Address":"2001:db8:0:1::""#
    let end = #"},"lastStatus"#

    #expect(
      try device(#"\#(ipv6),"phoneNumber":"\#(CAMARAWorld.a)""#)
        == #"{"device":{"phoneNumber":"+12025550100""# + end)
    #expect(try device(#"\#(ipv6),\#(ipv4)"#) == #"{"device":{\#(ipv4)"# + end)
    #expect(try device(ipv6) == #"{"device":{\#(ipv6)"# + end)
    #expect(
      try device(#""ipv4Address":{"publicAddress":"203.0.113.7","privateAddress":"10.0.0.1"}"#)
        .contains(#""privateAddress":"10.0.0.1"}"#))
    #expect(try !camara.ask(Self.roaming, as: CAMARAWorld.a).answer.contains("device"))
    #expect(
      try camara.error(camara.ask(Self.roaming, #"{"device":{\#(ipv6)}}"#, as: CAMARAWorld.a))
        == "422 UNNECESSARY_IDENTIFIER")
    #expect(try camara.error(camara.ask(Self.roaming)) == "422 MISSING_IDENTIFIER")
  }

  @Test("an operator may know phone numbers only")
  func supported() throws {
    try camara.configure(#""supportedDeviceIdentifiers":["phoneNumber"]"#)

    #expect(
      try camara.error(camara.ask(Self.roaming, #"{"device":{"ipv6Address":"2001:db8::1"}}"#))
        == "422 UNSUPPORTED_IDENTIFIER")
    #expect(try ask(Self.roaming, CAMARAWorld.a).answer.hasPrefix("200"))
  }

  @Test("a device has its IMEI, and what the record says about its model")
  func identifiers() throws {
    let plain = try camara.ask("\(Self.identifier)/retrieve-identifier", as: CAMARAWorld.a)
    try camara.subscriber(
      CAMARAWorld.a,
      #"{"imei":"490154203237518","handset":{"manufacturer":"Plover","model":"Plover 3","softwareVersion":"07"}}"#
    )
    let known = try camara.ask("\(Self.identifier)/retrieve-identifier", as: CAMARAWorld.a)
    let type = try camara.ask("\(Self.identifier)/retrieve-type", as: CAMARAWorld.a)

    known.matches(golden: "known")
    type.matches(golden: "known")
    #expect(
      plain.answer
        == #"200 {"lastChecked":"2026-01-05T10:20:30.000Z","imei":"001013015501002","tac":"00101301"}"#)
    #expect(
      known.answer
        == #"200 {"lastChecked":"2026-01-05T10:20:30.000Z","imei":"490154203237518","imeisv":"4901542032375107","#
        + #""tac":"49015420","model":"Plover 3","manufacturer":"Plover"}"#)
    #expect(
      type.answer
        == #"200 {"lastChecked":"2026-01-05T10:20:30.000Z","tac":"49015420","model":"Plover 3","#
        + #""manufacturer":"Plover"}"#)
  }

  @Test("M58: a pseudonym is another one for each client and device, and survives a SIM swap")
  func pseudonym() throws {
    func ppid(of client: String? = nil) throws -> String {
      let exchange = try camara.ask("\(Self.identifier)/retrieve-ppid", as: CAMARAWorld.a, of: client)
      return try camara.fields(of: exchange).string("ppid")
    }
    let first = try ppid()
    try camara.ask("\(Self.identifier)/retrieve-ppid", as: CAMARAWorld.a).matches(golden: "pseudonym")
    let other = try ppid(of: "other-app")
    try camara.event(CAMARAWorld.a, #""event":"simSwap""#)
    let swapped = try ppid()
    try camara.event(CAMARAWorld.a, #""event":"deviceSwap""#)

    #expect(first.count == 64 && first != other && first == swapped)
    #expect(try ppid() != first)
  }
}
