import Basics
import Crypto
import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Telesign

@Suite("Telesign · authentication", .contract("telesign.md 2"))
struct TelesignAuthenticationTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func send(_ change: (inout SignedRequest) -> Void = { _ in }) throws -> Exchange {
    var signed = SignedRequest()
    change(&signed)
    return try telesign.world.send(signed.request)
  }

  private func refusal(_ change: (inout SignedRequest) -> Void) throws -> String {
    try send(change).errorCodes()
  }

  @Test("a correctly signed request is accepted")
  func signed() throws {
    let exchange = try send()

    #expect(exchange.isAccepted)
  }

  @Test(
    "46 B9: a path is signed with the prefixes of the sandbox and the provider, or without",
    arguments: ["/s/default", "/telesign", "/s/default/telesign"], [true, false])
  func prefix(sent: String, isStrict: Bool) throws {
    try telesign.configure(#""auth.strict":\#(isStrict)"#)
    for signed in [sent, sent.hasSuffix("/telesign") ? "/telesign" : "", ""] {
      let exchange = try send {
        $0.prefix = sent
        $0.alter = { $0.replacing("\n/v1", with: "\n\(signed)/v1") }
      }
      #expect(exchange.isAccepted, "\(signed)")
    }
    let foreign = try send {
      $0.prefix = sent
      $0.alter = { $0.replacing("\n/v1", with: "\n/s/other/v1") }
    }
    #expect(try foreign.errorCodes() == "401 501 -30006")
  }

  @Test("46 B1: the path is signed as it is sent, or without a slash of the base URL")
  func signedWithSlashes() throws {
    let atEnd = try send { $0.path += "/" }
    let atStart = try send { $0.path = "/" + $0.path }
    let ofBase = try send {
      $0.path = "/" + $0.path
      $0.alter = { $0.replacing("\n//v1", with: "\n/v1") }
    }
    let unsigned = try send {
      $0.path += "/"
      $0.alter = { String($0.dropLast()) }
    }

    #expect(atEnd.isAccepted && atStart.isAccepted && ofBase.isAccepted)
    #expect(
      unsigned.why?.hasPrefix("wrong signature: the slash at the end of the path is not signed") == true)
  }

  @Test("with the wrong key, the expected string is in the response and in the journal")
  func wrongKey() throws {
    let exchange = try send { $0.key = Array("another".utf8) }

    exchange.matches(golden: "wrong-signature")
    #expect(exchange.why?.contains(TelesignWorld.key) == false)
  }

  /// A signing mistake as the journal names it, and how it changes the string to sign.
  struct Case: Sendable, CustomTestStringConvertible {
    let mistake: String
    let change: @Sendable (String) -> String

    var testDescription: String { mistake }
  }

  static let mistakes: [Case] = [
    Case(mistake: "lines end in CR LF instead of LF; the first difference is at byte 5") {
      $0.replacing("\n", with: "\r\n")
    },
    Case(mistake: "there is a line feed after the last line") { $0 + "\n" },
    Case(mistake: "there is a space after the colon of the x-ts headers") {
      $0.replacing("method:", with: "method: ")
    },
    Case(mistake: "the form is signed before it is encoded") {
      $0.replacing("a+b", with: "a b").replacing("%3A", with: ":")
    },
    Case(mistake: "a prefix is signed with the path") { $0.replacing("\n/v1", with: "\n/telesign/v1") },
    Case(mistake: "the method is not in upper case; the first difference is at byte 1") {
      "post" + $0.dropFirst(4)
    },
    Case(mistake: "scheme and host are signed with the path") {
      $0.replacing("\n/v1", with: "\nhttps://rest-ww.telesign.com/v1")
    },
    Case(mistake: "the form's fields are sorted by name before signing") {
      let fields = "phone_number=15558675309&fraud_type=a+b&occurred_at=2026-01-05T10%3A20%3A30Z"
      return $0.replacing(fields, with: fields.split(separator: "&").sorted().joined(separator: "&"))
    },
    Case(mistake: "the body is signed with its fields in another order") {
      let fields = "phone_number=15558675309&fraud_type=a+b&occurred_at=2026-01-05T10%3A20%3A30Z"
      let order = "occurred_at=2026-01-05T10%3A20%3A30Z&phone_number=15558675309&fraud_type=a+b"
      return $0.replacing(fields, with: order)
    },
    Case(mistake: "the x-ts headers are left out") {
      $0.replacing("x-ts-auth-method:HMAC-SHA256\n", with: "")
    },
    Case(mistake: "the path has an extra slash at its end") { $0 + "/" },
  ]

  @Test(
    "a known mistake is found, with the first byte that differs", arguments: mistakes)
  func knownMistakes(mistake: Case) throws {
    let exchange = try send { $0.alter = mistake.change }

    #expect(try exchange.errorCodes() == "401 501 -30006")
    #expect(exchange.why?.hasPrefix("wrong signature: \(mistake.mistake)") == true, "\(exchange.why ?? "")")
  }

  @Test("46 E4: the members of JSON backwards are an order, and very many fields have none")
  func orders() {
    let members = (1...8).map { "\"m\($0)\": {\"a\": [\($0), 2]}" }
    func json(_ members: [String]) -> [UInt8] { Array("{\(members.joined(separator: ", "))}".utf8) }

    #expect(FieldOrders(of: json(members), hashedBy: 1).bodies.contains(json(members.reversed())))
    #expect(FieldOrders(of: Array(repeating: UInt8(ascii: "&"), count: 60_000), hashedBy: 1).bodies.isEmpty)
  }

  @Test("headers signed with their names as sent are found")
  func headerNames() throws {
    let exchange = try send {
      $0.headers = [("X-TS-Auth-Method", "HMAC-SHA256")]
      $0.alter = { $0.replacing("x-ts-auth-method", with: "X-TS-Auth-Method") }
    }

    #expect(
      exchange.why?.hasPrefix("wrong signature: the names of the x-ts headers are not in lower case") == true)
  }

  @Test("the two strings are one below the other, with a mark at the first difference")
  func sideBySide() throws {
    let exchange = try send { $0.alter = { $0.replacing("\n", with: "\r\n") } }

    let lines = exchange.why?.split(separator: "\n").map(String.init) ?? []
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix("expected: POST\\napplication"))
    #expect(lines[2].hasPrefix("received: POST\\r\\napplication"))
    #expect(lines[3] == String(repeating: " ", count: 15) + "^")
  }

  @Test("a key used as text, and a signature in hexadecimal, are found")
  func keyMistakes() throws {
    let asText = try send { $0.key = Array(TelesignWorld.key.utf8) }
    var request = SignedRequest().request
    let digest = HMAC.authenticate(Array(SignedRequest().stringToSign.utf8), key: Array(0...63))
    let hexadecimal = Hex.encode(digest)
    var headers = Headers()
    for (name, value) in request.headers.pairs where name != "Authorization" { headers.add(name, value) }
    headers.add("Authorization", "TSA \(TelesignWorld.customer):\(hexadecimal)")
    request.headers = headers

    #expect(asText.why == "wrong signature: the key was used as text; decode its base64 first")
    #expect(try telesign.world.send(request).why == "the signature is in hexadecimal; encode it as base64")
  }

  @Test("dates have a window, nonces a length, and the date is checked before the signature")
  func limits() throws {
    #expect(try refusal { $0.date = (TestSandbox.start - .seconds(901)).httpDate } == "401 501 -30010")
    #expect(try refusal { $0.date = (TestSandbox.start + .seconds(901)).httpDate } == "401 501 -30010")
    #expect(
      try refusal {
        $0.date = (TestSandbox.start - .seconds(901)).httpDate
        $0.key = [1]
      } == "401 501 -30010")
    #expect(try send { $0.date = (TestSandbox.start - .seconds(900)).httpDate }.isAccepted)
    #expect(
      try refusal { $0.headers.append(("x-ts-nonce", String(repeating: "n", count: 65))) } == "401 501 -30011"
    )
  }

  @Test("who has signed in is refused later with another key, if suspended, and from another address")
  func later() throws {
    func answer(_ key: String = TelesignWorld.key) throws -> String {
      let missing = "/v1/telebureau/event/0123456789ABCDEF0123456789ABCDEF"
      return try telesign.get(missing, as: Request.basic(TelesignWorld.customer, key)).errorCodes()
    }
    func remembered(_ key: String) -> String? {
      let field = Request.basic(TelesignWorld.customer, key)["Authorization"] ?? ""
      return telesign.sandbox.accounts.lastCaller(signedInWith: Array(field.utf8)[...], of: "telesign")
    }
    #expect(try answer() == "404 599 -10001" && remembered(TelesignWorld.key) == TelesignWorld.customer)
    #expect(try answer() == "404 599 -10001")

    #expect(try answer("wrong") == "401 501 -30015" && remembered("wrong") == nil)
    try telesign.configure(#""account.state":"suspended""#)
    #expect(try answer() == "401 501 -30001")
    try telesign.configure(#""account.state":"active","account.source_ip":"192.0.2.1""#)
    #expect(try answer() == "401 500 -10009")
    telesign.sandbox.acceptsUnknownAccounts.toggle()
    #expect(remembered(TelesignWorld.key) == nil)
  }

  @Test("dates of a frozen or moved clock are right by the machine's clock too, except with strict dates")
  func machineDates() throws {
    let machine = TestSandbox.start
    try telesign.advance(7200)

    #expect(try send { $0.date = machine.httpDate }.isAccepted)
    #expect(try send { $0.date = (machine + .seconds(7200)).httpDate }.isAccepted)
    #expect(try refusal { $0.date = (machine + .seconds(3600)).httpDate } == "401 501 -30010")
    try telesign.configure(#""auth.strict_dates":true"#)
    #expect(try refusal { $0.date = machine.httpDate } == "401 501 -30010")
    #expect(try send { $0.date = (machine + .seconds(7200)).httpDate }.isAccepted)
    try telesign.sandbox.atomically { try telesign.sandbox.set(clock: .offset(.seconds(7200))) }
    #expect(try refusal { $0.date = machine.httpDate } == "401 501 -30010")
    try telesign.configure(#""auth.strict_dates":false"#)
    #expect(try send { $0.date = machine.httpDate }.isAccepted)
  }

  @Test(
    "the keys of the provider's examples are accepted for its example customer, unless the sandbox is strict",
    arguments: [
      "ABC12345yusumoN6BYsBVkh+yRJ5czgsnCehZaOYldPJdmFh6NeX8kunZ2zU1YWaUw/0wV6xfw==",
      "EXAMPLE----TE8sTgg45yusumoN6BYsBVkh+yRJ5czgsnCehZaOYldPJdmFh6NeX8kunZ2zU1YWaUw/0wV6xfw==",
    ])
  func exampleKeys(key: String) throws {
    let missing = "/v1/telebureau/event/0123456789ABCDEF0123456789ABCDEF"
    func answer(_ world: TelesignWorld) throws -> [String] {
      let basic = try world.get(missing, as: Request.basic(TelesignWorld.customer, key)).errorCodes()
      var signed = SignedRequest()
      signed.key = Base64.decodeForgiving(key)
      return [basic, String(try world.world.send(signed.request).answer.prefix(3))]
    }

    #expect(try answer(telesign) == ["404 599 -10001", "200"])
    #expect(try answer(TelesignWorld(acceptsUnknownAccounts: false)) == ["401 501 -30015", "401"])
    try telesign.configure(#""auth.strict":true"#)
    #expect(try answer(telesign) == ["401 501 -30015", "401"])
  }

  @Test("a nonce can be used once in its window")
  func nonces() throws {
    func use() throws -> Exchange {
      try send {
        $0.date = telesign.sandbox.clock.now.httpDate
        $0.headers.append(("x-ts-nonce", "once"))
      }
    }
    #expect(try use().isAccepted)
    #expect(try use().errorCodes() == "401 501 -30012")
    try telesign.advance(899)
    #expect(try use().errorCodes() == "401 501 -30012")
    try telesign.advance(1)
    #expect(try use().isAccepted)
  }

  @Test("the nonce of a rejected request can be used again")
  func refusedNonce() throws {
    _ = try send {
      $0.headers.append(("x-ts-nonce", "once")); $0.key = [1]
    }

    #expect(try send { $0.headers.append(("x-ts-nonce", "once")) }.isAccepted)
  }

  @Test("variants of official clients are accepted, except in strict mode")
  func lenient() throws {
    let changes: [(inout SignedRequest) -> Void] = [
      { $0.alter = { $0.replacing("application/x-www-form-urlencoded\n", with: "\n") } },
      {
        $0.contentType += "; charset=utf-8"
        $0.alter = { $0.replacing("; charset=utf-8", with: "") }
      },
    ]
    for change in changes {
      #expect(try send(change).isAccepted)
    }
    try telesign.configure(#""auth.strict":true"#)
    for change in changes {
      #expect(try refusal(change) == "401 501 -30006")
    }
    #expect(try send().isAccepted)
  }

  @Test("without a method header the hash is SHA-1, and x-ts-date has priority over Date")
  func oldClients() throws {
    #expect(
      try send {
        $0.headers = []; $0.hash = .sha1
      }.isAccepted)
    let late = (TestSandbox.start - .seconds(7200)).httpDate
    let now = TestSandbox.start.httpDate
    #expect(
      try send {
        $0.date = late; $0.headers.append(("x-ts-date", now))
      }.isAccepted)
    #expect(try refusal { $0.headers.append(("x-ts-date", late)) } == "401 501 -30010")
  }

  @Test("every key of an account is valid, also with dashes")
  func keys() throws {
    try telesign.seed(
      """
      {"telesign":{"accounts":[{"customerId":"\(TelesignWorld.customer)",\
      "apiKeys":["\(TelesignWorld.key)","ab--cd=="]}]}}
      """)

    #expect(try send().isAccepted)
    #expect(try send { $0.key = Base64.decodeForgiving("abcd") }.isAccepted)
    #expect(try send { $0.key = Base64.decodeForgiving("ab++cd") }.isAccepted)
    #expect(try refusal { $0.key = [1, 2, 3] } == "401 501 -30006")
  }

  @Test(
    "an unknown customer with an id of any form is accepted in an open default sandbox only",
    arguments: ["AAAAAAAA-0000-0000-0000-000000000000", "AAAAAAAA-0000-0000-0000-0000000000000", "nobody"])
  func unknown(customer: String) throws {
    let stranger = Request.basic(customer, "any")
    let strict = try TelesignWorld(acceptsUnknownAccounts: false)
    let missing = "/v1/telebureau/event/0123456789ABCDEF0123456789ABCDEF"

    #expect(try telesign.get(missing, as: stranger).errorCodes() == "404 599 -10001")
    #expect(try strict.get(missing, as: stranger).errorCodes() == "401 501 -30000")
    let lowered = Request.basic(TelesignWorld.customer.lowercased(), TelesignWorld.key)
    #expect(try strict.get(missing, as: lowered).errorCodes() == "401 501 -30000")
  }
}
