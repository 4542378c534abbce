import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · message templates", .contract("telesign.md 9.2"))
struct TelesignTemplateTests {
  private static let path = "/v1/omnichannel/templates"
  private static let welcome =
    #"{"channel":"sms","name":"welcome","text":"Hi {{name}}, use {{code}}.","more":[1]}"#

  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func create(_ body: String = welcome) throws -> Exchange {
    try telesign.send(.post, Self.path, json: body)
  }

  private func send(_ parameters: String) throws -> Exchange {
    try telesign.send(
      .post, "/v1/omnichannel",
      json:
        #"{"phone_number":"15558675309","message":{"sms":{"template":"welcome","parameters":\#(parameters)}},"#
        + #""message_type":"ARN","channels":[{"channel":"sms"}]}"#)
  }

  @Test("a template is stored, fetched, listed and deleted as it was sent")
  func kept() throws {
    let created = try create()
    let found = try telesign.get("\(Self.path)/sms/welcome")
    let listed = try telesign.get(Self.path)
    let deleted = try telesign.send(.delete, "\(Self.path)/sms/welcome")

    created.matches(golden: "created")
    found.matches(golden: "found")
    listed.matches(golden: "one")
    deleted.matches(golden: "deleted")
    #expect(created.answer == "200 \(Self.welcome)" && found.answer == created.answer)
    #expect(listed.answer == "200 [\(Self.welcome)]")
    #expect(try telesign.get(Self.path).answer == "200 []")
  }

  @Test("templates belong to a customer and a channel; a second one with the same name replaces the first")
  func own() throws {
    _ = try create()
    _ = try create(#"{"channel":"rcs","name":"welcome"}"#)
    _ = try create(#"{"channel":"rcs","name":"welcome","text":"Hello"}"#)
    let others = Request.basic("00000000-0000-4000-8000-000000000001", "x")

    #expect(
      try telesign.get(Self.path).answer
        == #"200 [\#(Self.welcome),{"channel":"rcs","name":"welcome","text":"Hello"}]"#)
    #expect(try telesign.get(Self.path, as: others).answer == "200 []")
  }

  @Test("a message has the template's text")
  func worded() throws {
    _ = try create()

    #expect(try send(#"{"name":"Ada"}"#).errorCodes() == "400 3305")
    #expect(try send(#"{"name":"Ada","code":"{{name}}"}"#).isAccepted)
    #expect(try telesign.inbox("15558675309").last?.text == "Hi Ada, use {{name}}.")
  }

  @Test("a Verify API code uses the template too, on its channel only", .contract("telesign.md 4.2"))
  func code() throws {
    _ = try create(#"{"channel":"sms","name":"welcome","text":"{{code}}: {{text}} {{name}}"}"#)
    let others = Request.basic("00000000-0000-4000-8000-000000000001", "x")
    func text(_ template: String, over method: String = "sms", as customer: Headers = TelesignWorld.basic)
      throws -> String
    {
      let created = try telesign.send(
        .post, "/verification",
        json: #"{"recipient":{"phone_number":"15558675309"},"security_factor":"0042","message_template":"#
          + #"{"name":"\#(template)"},"verification_policy":[{"method":"\#(method)"}]}"#, as: customer)
      #expect(try created.statusAndCode() == "200 3901")
      return try #require(try telesign.inbox("15558675309").last).text
    }
    let defaultText = "Your verification code is 0042."

    #expect(try text("welcome") == "0042: \(defaultText) {{name}}")
    #expect(try telesign.inbox("15558675309").last?.code == "0042")
    #expect(try text("welcome", over: "rcs") == defaultText)
    #expect(try text("other") == defaultText)
    #expect(try text("welcome", as: others) == defaultText)
  }

  @Test("an invalid template is rejected")
  func refused() throws {
    try create(#"{"name":"welcome"}"#).matches(golden: "without-channel")
    try telesign.get("\(Self.path)/sms/other").matches(golden: "unknown")
    try telesign.send(.delete, "\(Self.path)/sms/other").matches(golden: "unknown")
    try telesign.get(Self.path, as: [:]).matches(golden: "nobody")
    #expect(try create(#"{"channel":"pigeon","name":"x"}"#).errorCodes() == "400 3113")
    for name in [#""""#, #""Has Spaces""#, "null", "1"] {
      #expect(try create(#"{"channel":"sms","name":\#(name)}"#).errorCodes() == "400 3110")
    }
  }
}
