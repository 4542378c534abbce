import HTTP
import JSON
import Support
import Testing

@Suite("Twilio · Services", .contract("twilio-verify.md 3"))
struct ServicesTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("HEAD is a fetch without its body")
  func head() throws {
    let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"

    try twilio.send(.to(path, .head, headers: TwilioWorld.credentials)).matches(golden: "head")
  }

  @Test("a fetch has what changed since the last one: the Service, a setting, the host")
  func fetchAgain() throws {
    let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"
    func fetched(from host: String = "127.0.0.1:5550") throws -> ServiceAnswer {
      let headers: Headers = ["Host": host, "Authorization": TwilioWorld.credentials["Authorization"] ?? ""]
      return try twilio.send(Request(.get, Target(path), headers: headers, body: [])).decode()
    }
    let first = try fetched()

    #expect(try fetched() == first)
    #expect(try fetched(from: "verify.twilio.com").text("url") == "http://verify.twilio.com\(path)")
    _ = try twilio.post(path, ["FriendlyName": "Renamed"])
    #expect(try fetched().text("friendly_name") == "Renamed")
    try twilio.configure(#""pushIncludeDate":false"#)
    #expect(try fetched()["push.include_date"] == .bool(false))
  }
}
