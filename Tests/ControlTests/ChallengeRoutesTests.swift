import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · devices, challenges and pushes", .contract("/control/openapi.json"))
struct ChallengeRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  @Test("an app without a description gets a unique name, token and key")
  func madeUp() throws {
    let devices = try ["+12025550100", "+12025550101"].map { number in
      try register(#"{"number":"\#(number)","provider":"acme"}"#)
    }

    #expect(devices[0]["app"] == .string("com.example.app:1.0.0"))
    #expect(devices[0]["platform"] == .string("android"))
    for name in ["id", "pushToken", "publicKey"] { #expect(devices[0][name] != devices[1][name]) }
  }

  @Test(
    "an invalid app is rejected with its field, and nothing is saved",
    arguments: [
      (#""app":"""#, "app"), (#""platform":"symbian""#, "platform"), (#""pushToken":"""#, "pushToken"),
      (#""publicKey":7"#, "publicKey"), (#""colour":"red""#, "colour"),
    ])
  func refused(member: String, name: String) throws {
    let answer = try desk.ask(
      "POST /control/devices", #"{"number":"+12025550100","provider":"acme",\#(member)}"#)

    #expect(answer.hasPrefix("400") && answer.contains(name))
    #expect(try desk.sandbox.devices.all.isEmpty)
  }

  @Test("a device is found and removed by its id, and its number's handset stays")
  func byIdentifier() throws {
    let id = try #require(register(#"{"number":"+12025550100","provider":"acme"}"#)["id"]?.text)

    #expect(try desk.ask("GET /control/devices/\(id)").hasPrefix("200"))
    #expect(try desk.ask("DELETE /control/devices/\(id)") == "204")
    #expect(try desk.ask("GET /control/devices/\(id)").hasPrefix("404"))
    #expect(try desk.ask("DELETE /control/devices/\(id)").hasPrefix("404"))
    #expect(try desk.ask("GET /control/devices/+12025550100").contains(#""apps":[]"#))
  }

  @Test("a challenge is answered by number, device, reference or latest")
  func ways() throws {
    let device = try register(#"{"number":"+12025550100","provider":"acme"}"#)
    for id in ["+12025550100", device["id"]?.text ?? "-", "Q12025550100", "latest"] {
      try ask()
      #expect(try desk.ask("POST /control/devices/\(id)/deny").contains(#""state":"denied""#), "\(id)")
    }
    #expect(try desk.ask("POST /control/devices/+12025550101/deny").hasPrefix("404"))
    #expect(try desk.ask("POST /control/devices/Q9/deny").hasPrefix("404"))
  }

  @Test("of several challenges the newest pending one is answered")
  func newest() throws {
    _ = try register(#"{"number":"+12025550100","provider":"acme"}"#)
    for _ in 1...2 { try ask() }

    for _ in 1...2 { #expect(try desk.ask("POST /control/devices/latest/approve").hasPrefix("200")) }

    #expect(try desk.ask("POST /control/devices/latest/approve").hasPrefix("409"))
  }

  @Test("pushes are listed by state, number and provider, and after a cursor")
  func filters() throws {
    for number in ["+12025550100", "+12025550101"] {
      _ = try register(#"{"number":"\#(number)","provider":"acme"}"#)
      try ask(number)
    }
    _ = try desk.ask("POST /control/devices/+12025550101/approve")

    #expect(try pushes("?state=pending") == ["+12025550100"])
    #expect(try pushes("?state=approved") == ["+12025550101"])
    #expect(try pushes("?state=expired").isEmpty)
    #expect(try pushes("?number=%2B12025550101") == ["+12025550101"])
    #expect(try pushes("?provider=twilio").isEmpty)
    #expect(try pushes("") == ["+12025550100", "+12025550101"])
    let cursor = try JSON(parsing: desk.respond("GET /control/pushes").body)["cursor"]
    guard case .integer(let last)? = cursor else { throw Missing() }
    #expect(try pushes("?after=\(last)").isEmpty)
    #expect(desk.wait("GET /control/pushes?after=\(last)&wait=5") != nil)
  }

  @Test("another person's app cannot scan a challenge")
  func foreignScan() throws {
    try ask()
    _ = try register(#"{"number":"+12025550101","provider":"acme"}"#)
    let text = #"{"text":"Q12025550100"}"#

    #expect(try desk.ask("POST /control/devices/latest/scan", text).hasPrefix("409"))
    #expect(try desk.ask("POST /control/devices/+12025550100/scan", text).hasPrefix("404"))
    #expect(try desk.ask("POST /control/devices/+12025550100/scan", "{}").hasPrefix("400"))
  }

  @Test("events of devices and challenges are logged")
  func events() throws {
    _ = try register(#"{"number":"+12025550100","provider":"acme"}"#)
    try ask()
    _ = try desk.ask("POST /control/devices/latest/approve")
    _ = try desk.ask("DELETE /control/devices/latest")

    let kinds = try desk.sandbox.events.after(0).map(\.kind.rawValue)
    #expect(
      kinds.filter { $0.hasPrefix("device") || $0.hasPrefix("challenge") } == [
        "device.registered", "challenge.asked", "challenge.approved", "device.removed",
      ])
  }

  private func register(_ body: String) throws -> JSON {
    try JSON(parsing: desk.respond("POST /control/devices", body).body)
  }

  private func ask(_ number: String = "+12025550100") throws {
    _ = try desk.respond("POST /questions/v1/questions", "to=%2B\(number.dropFirst())")
  }

  private func pushes(_ query: String) throws -> [String] {
    try JSON(parsing: desk.respond("GET /control/pushes\(query)").body)["pushes"]?.items
      .compactMap { $0["number"]?.text } ?? []
  }

  private struct Missing: Error {}
}
