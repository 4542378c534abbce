import CatalogSupport
import Crypto
import Domain
import HTTP
import JSON
import Support
import Testing

/// The reasons of all providers for how a body was sent, and for what is in a number.
@Suite("Kit · reasons")
struct ReasonTests {
  private let world: TestSandbox

  init() throws { world = try TestSandbox.withCatalog { $0.acceptsUnknownAccounts = true } }

  /// A request that a provider accepts.
  struct Sample: Sendable, CustomTestStringConvertible {
    let path: String
    var headers: Headers = [:]
    let body: String
    /// The name of the field with the number +12025550100.
    var number = ""

    var testDescription: String { path }
    var isJSON: Bool { body.first == "{" }

    /// The request with another body.
    func request(_ body: [UInt8]?, type: String? = nil, more: Headers = [:]) -> Request {
      var all = headers
      all.add(
        "Content-Type", type ?? (isJSON ? "application/json" : "application/x-www-form-urlencoded"))
      all.append(more)
      return .to(path, .post, headers: all, body: body ?? Array(self.body.utf8))
    }

    /// The body with another text in the place of the number, encoded as its format demands.
    func body(with number: String) -> [UInt8] {
      let encoded = isJSON ? number : PercentCoding.encode(number)
      let plain = isJSON ? "+12025550100" : "%2B12025550100"
      return Array(body.replacing(plain, with: encoded).utf8)
    }
  }

  private static let verify = "/twilio/v2/Services/VA00000000000000000000000000000001"
  private static let twilio = Request.basic(
    "AC00000000000000000000000000000001", "0123456789abcdef0123456789abcdef")

  private static let forms = [
    Sample(
      path: "\(verify)/Verifications", headers: twilio, body: "To=%2B12025550100&Channel=sms", number: "To"),
    Sample(
      path: "\(verify)/VerificationCheck", headers: twilio, body: "To=%2B12025550100&Code=123456",
      number: "To"),
    Sample(
      path: "/telesign/v1/messaging", headers: Request.basic("C", "a2V5"),
      body: "phone_number=%2B12025550100&message=Hi&message_type=OTP", number: "phone_number"),
    Sample(
      path: "/telesign/v1/verify/sms", headers: Request.basic("C", "a2V5"),
      body: "phone_number=%2B12025550100", number: "phone_number"),
    Sample(
      path: "/vonage/verify/json",
      body: "api_key=abcd1234&api_secret=sandboxSecret001&number=%2B12025550100&brand=A"),
    Sample(path: "/prove/token", body: "client_id=sandbox-client&client_secret=sandbox-secret"),
    Sample(path: "/camara/oauth2/token", body: "client_id=a&client_secret=b"),
  ]

  private static let documents = [
    Sample(
      path: "/prelude/v2/verification",
      headers: ["Authorization": "Bearer sk_sandbox00000000000000000000000001"],
      body: #"{"target":{"type":"phone_number","value":"+12025550100"}}"#, number: "target.value"),
    Sample(
      path: "/vonage/v2/verify", headers: Request.basic("abcd1234", "sandboxSecret001"),
      body: #"{"brand":"A","workflow":[{"channel":"sms","to":"+12025550100"}]}"#, number: "workflow[0].to"),
    Sample(
      path: "/sinch/verification/v1/verifications",
      headers: Request.basic(
        "11111111-2222-3333-4444-555555555555", "cmluZ2ZlbmNlLXNpbmNoLWRlbW8tc2VjcmV0LTAwMDE="),
      body: #"{"identity":{"type":"number","endpoint":"+12025550100"},"method":"sms"}"#,
      number: "identity.endpoint"),
    Sample(
      path: "/fcm/v1/projects/ringfence-sandbox/messages:send", headers: ["Authorization": "Bearer x"],
      body: #"{"message":{"token":"t"}}"#),
    Sample(
      path: "/telesign/verification", headers: Request.basic("C", "a2V5"),
      body: #"{"recipient":{"phone_number":"12025550100"},"verification_policy":[{"method":"sms"}]}"#),
  ]

  // MARK: How a body was sent

  @Test("46 E1: a body in another format than expected is named", arguments: forms)
  func otherThanForm(sample: Sample) throws {
    let boundary = "multipart/form-data; boundary=x"
    let multipart = "--x\r\nContent-Disposition: form-data; name=\"To\"\r\n\r\n+12025550100\r\n--x--\r\n"
    let found = try [
      world.send(sample.request(Array(multipart.utf8), type: boundary)),
      world.send(sample.request(Array("<To>1</To>".utf8), type: "text/xml")),
      world.send(sample.request(Request.gzipStart + [8, 0], more: ["Content-Encoding": "gzip"])),
    ].map { $0.why ?? "" }

    let expected = "body: expected a form (application/x-www-form-urlencoded); found "
    #expect(found[0] == expected + "multipart/form-data")
    #expect(found[1] == expected + "XML or HTML")
    #expect(found[2].hasPrefix(expected + "gzip data"), "\(found[2])")
  }

  @Test("46 E1: a form, multipart and gzip where JSON is expected are named", arguments: documents)
  func otherThanJSON(sample: Sample) throws {
    let boundary = "multipart/form-data; boundary=x"
    let multipart = "--x\r\nContent-Disposition: form-data; name=\"to\"\r\n\r\n1\r\n--x--\r\n"
    let found = try [
      world.send(
        sample.request(Array("to=%2B12025550100&brand=A".utf8), type: "application/x-www-form-urlencoded")),
      world.send(sample.request(Array(multipart.utf8), type: boundary)),
      world.send(sample.request([0xEF, 0xBB, 0xBF] + Array(sample.body.utf8))),
      world.send(sample.request(Array(JSON.string(sample.body).encoded()))),
      world.send(sample.request(Array("{'to': 'x'}".utf8))),
      world.send(sample.request(Request.gzipStart + [8, 0], more: ["Content-Encoding": "br"])),
    ].map { $0.why ?? "" }

    let expected = "body: expected JSON (application/json); found "
    #expect(found[0] == expected + "a form (application/x-www-form-urlencoded)")
    #expect(found[1] == expected + "multipart/form-data")
    #expect(found[2].hasPrefix(expected + "a byte order mark"), "\(found[2])")
    #expect(found[3].hasPrefix(expected + "JSON inside a JSON string"), "\(found[3])")
    #expect(found[4].hasPrefix(expected + "names in single quotes"), "\(found[4])")
    #expect(found[5].hasPrefix(expected + "gzip data"), "\(found[5])")
  }

  @Test("46 E1: an answer names the format, too, and no byte")
  func formatInAnswer() throws {
    let found = "found a form (application/x-www-form-urlencoded)"
    for sample in Self.documents where ["/prelude", "/sinch"].contains(where: sample.path.hasPrefix) {
      let exchange = try world.send(
        sample.request(Array("to=1&brand=A".utf8), type: "application/x-www-form-urlencoded"))

      #expect(exchange.answer.contains(found), "\(exchange.answer)")
    }
  }

  @Test("46 E1: missing credentials are named beside the format of the body")
  func formatAndCredentials() throws {
    let path = "/fcm/v1/projects/ringfence-sandbox/messages:send"

    let why = try world.send(Sample(path: path, body: "token=t").request(nil)).why

    #expect(why?.hasPrefix("body: expected JSON (application/json); found a form") == true)
    #expect(why?.hasSuffix("; no Authorization header with a Bearer token") == true, "\(why ?? "")")
  }

  @Test("46 E1: FCM decompresses gzip")
  func decompressed() throws {
    let sample = try #require(Self.documents.first { $0.path.hasPrefix("/fcm") })
    // The body of the sample.
    let packed = try #require(
      Base64.decode("H4sIAAAAAAACA6tWyk0tLk5MT1WyqlYqyc9OzVOyUipRqq0FAGRHimEZAAAA"))
    func send(_ bytes: [UInt8]) throws -> Exchange {
      try world.send(sample.request(bytes, more: ["Content-Encoding": "gzip"]))
    }

    let plain = try world.send(sample.request(nil))
    #expect(try send(packed).answer.prefix(4) == plain.answer.prefix(4))
    #expect(try send(packed).why == plain.why)
    #expect(try send(Array(packed.dropLast(12))).why?.hasSuffix("found broken gzip data") == true)
  }

  // MARK: Where fields are

  @Test("46 E2: fields in the query of a POST are named", arguments: forms.prefix(4))
  func query(sample: Sample) throws {
    var inQuery = sample.request([])
    inQuery.target.query = sample.body

    let exchange = try world.send(inQuery)

    let names = exchange.unread.joined(separator: ", ")
    #expect(!exchange.unread.isEmpty)
    #expect(
      exchange.why?.contains("query: found \(names); expected them in the body") == true,
      "\(exchange.why ?? "")")
  }

  @Test("46 E2: a field that is there twice is named, also where the last one counts")
  func repeated() throws {
    let twilio = try world.send(
      Self.forms[0].request(Array("To=%2B12025550100&Channel=sms&Channel=call".utf8)))
    let refused = try world.send(Self.forms[0].request(Array("To=1&To=%2B12025550100&Channel=sms".utf8)))
    let telesign = try world.send(
      Self.forms[2].request(Array("phone_number=1&phone_number=2&message=Hi&message_type=OTP".utf8)))
    let prelude = try world.send(
      Self.documents[0].request(Array(#"{"target":{},"target":{"type":"phone_number"}}"#.utf8)))
    let lenient = try world.send(
      Self.documents[4].request(Array((#"{"recipient":1,"# + Self.documents[4].body.dropFirst()).utf8)))

    #expect(twilio.unread == ["Channel (repeated)"])
    #expect(refused.unread.first == "To (repeated)")
    #expect(refused.why?.contains("To: found more than once") == true)
    #expect(telesign.why?.contains("phone_number: found more than once") == true)
    #expect(prelude.why?.contains("target: found more than once") == true)
    #expect(lenient.unread.first == "recipient (repeated)")
  }

  @Test("46 E2: the body of a GET is named")
  func bodyOfGet() throws {
    let path = "/twilio/v2/PhoneNumbers/+12025550100"
    let exchange = try world.send(
      .to(path + "?Fields=x", headers: Self.twilio, body: Array("Fields=sim_swap".utf8)))

    #expect(exchange.why?.hasSuffix("body: not read; expected the fields of a GET in its query") == true)
  }

  // MARK: What is in a number

  private static let numbers = (forms + documents).filter { !$0.number.isEmpty }

  /// What is sent, and how the remark about it begins.
  private static let writings: [(String, String)] = [
    ("\u{202A}+12025550100", "begins with U+202A (left-to-right embedding)"),
    ("+12025550100\u{200B}", "ends with U+200B (zero width space)"),
    ("+1202\u{A0}5550100", "has U+00A0 (no-break space) as character 6"),
    ("00442079460958", "begins with 00 instead of +; did you mean +442079460958?"),
    ("+44 (0)20 7946 0958", "has (0), which is dialled within the country only; did you mean +442079460958?"),
    ("\u{FF0B}442079460958", "has U+FF0B (fullwidth plus sign) instead of an ASCII character"),
    ("+442079460958,+442079460959", "has two numbers"),
    ("4.42079460958E+11", "is in exponent notation"),
  ]

  @Test("46 E3: what is odd about a number is named by every provider", arguments: numbers)
  func writings(sample: Sample) throws {
    for (text, remark) in Self.writings {
      let exchange = try world.send(sample.request(sample.body(with: text)))

      #expect(exchange.why?.contains("\(sample.number) \(remark)") == true, "\(text): \(exchange.why ?? "")")
      #expect(exchange.why?.unicodeScalars.contains { $0.isInvisible } == false)
    }
  }

  @Test(
    "46 E3: a missing plus sign and letters are named",
    arguments: [
      ("12025550100", "has no plus sign; did you mean +12025550100?"),
      ("2025550100", "has neither a plus sign nor a country code"),
      ("+1202555O100", "has the letter O"),
      ("+12025550100x5", "has the letter x; did you mean +12025550100?"),
    ])
  func lacking(text: String, remark: String) throws {
    for sample in [Self.forms[0], Self.documents[0]] {
      let why = try world.send(sample.request(sample.body(with: text))).why

      #expect(why?.hasSuffix("\(sample.number) \(remark)") == true, "\(why ?? "")")
    }
    // Where digits are right, their reason is another one.
    let vonage = try world.send(Self.documents[1].request(Self.documents[1].body(with: "2025550100")))
    #expect(vonage.why?.contains("plus sign") == false, "\(vonage.why ?? "")")
  }

  @Test("46 E3: a line feed in a value breaks no line of the reason")
  func lineFeed() throws {
    let why = try world.send(Self.forms[0].request(Self.forms[0].body(with: "+12025550100\n"))).why

    #expect(why?.hasSuffix(#"found "+12025550100<U+000A>"; To ends with U+000A (line feed)"#) == true)
  }

  @Test("46 E3: a line break in a number is shown as such", arguments: numbers.filter { !$0.isJSON })
  func lineBreak(sample: Sample) throws {
    let why = try world.send(sample.request(sample.body(with: "+1202\r\n5550100"))).why ?? ""

    #expect(why.contains("U+000D") && !why.contains(where: \.isNewline), "\(why)")
  }

  @Test("46 E2: a remark follows a sentence without its full stop")
  func sentence() throws {
    var request = Self.forms[5].request([])
    request.target = Target("/camara/oauth2/token?client_id=a")

    let why = try world.send(request).why

    #expect(why?.hasPrefix("The parameter grant_type is missing; query: found client_id") == true)
  }

  @Test("46 E3: a plus sign that was not escaped is named", arguments: numbers.filter { !$0.isJSON })
  func lostPlus(sample: Sample) throws {
    let body = sample.body.replacing("%2B", with: "+")

    let why = try world.send(sample.request(Array(body.utf8))).why

    #expect(
      why?.contains("\(sample.number) has a blank in the place of +: in a form, + is written as %2B") == true)
  }

  @Test(
    "46 E3: a plus sign that was not escaped is named in a hint, an address and a query, too",
    arguments: [
      ("/camara/oauth2/bc-authorize", "client_id=a&login_hint=tel:+12025550100", "login_hint"),
      ("\(verify)/Verifications", "To=a+b@example.com&Channel=email", "To"),
    ])
  func lostPlusElsewhere(path: String, form: String, name: String) throws {
    let headers = path.hasPrefix("/twilio") ? Self.twilio : [:]
    let why = try world.send(Sample(path: path, headers: headers, body: form).request(nil)).why

    #expect(why?.contains("\(name) has a blank in the place of +") == true, "\(why ?? "")")
  }

  @Test("46 E3: an invisible character of a secret is named, and no part of the secret")
  func secrets() throws {
    let secret = "0123456789abcdef0123456789abcdef"
    var sample = Self.forms[0]
    sample.headers = Request.basic("AC00000000000000000000000000000001", secret + "\n")
    let token = try world.send(
      .post("/prove/token", form: ["client_id": "sandbox-client", "client_secret": "sandbox-\u{2060}secret"]))

    let why = try world.send(sample.request(nil)).why ?? ""

    #expect(why.hasSuffix("the password of Authorization ends with U+000A (line feed)"), "\(why)")
    #expect(!why.contains(secret.prefix(8)))
    #expect(token.why?.contains("client_secret has U+2060 (word joiner) as character 9") == true)
    #expect(token.why?.contains("<U+2060>") == false)
  }
}
