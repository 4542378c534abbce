import Catalog
import CatalogSupport
import Domain
import HTTP
import ProviderKit
import Support
import Testing

/// Plants secrets wherever a client can send one, and looks for them in everything that the server shows.
@Suite("Kit · secrets")
struct SecretsTests {
  private static let planted = "planted-"
  /// Names that any client may use, besides those of the provider.
  private static let names = [
    "authToken", "AuthToken", "X-SessionToken", "client_secret", "clientSecret", "access_token", "password",
    "Binding.Secret", "api-key",
  ]
  /// What fills the captures of a path.
  private static let values = ["latest", "1", "req_1", "default", "+12025550100", "Acme"]

  private let world: TestSandbox

  init() throws { world = try TestSandbox.withCatalog() }

  @Test("no output has a secret that a client sent", arguments: catalog.map { $0.name })
  func planted(provider: String) throws {
    let own = try #require(catalog.first { $0.name == provider })
    let secret = Self.planted + "0123456789abcdef"
    for route in own.routes where route.handler != nil {
      let path = Self.path(route.pattern.description, with: "1")
      for request in Self.requests(route.method, "/\(provider)\(path)", own.secretFields + Self.names, secret)
      {
        _ = try world.send(request)
      }
    }

    try expectNone()
  }

  @Test("no output has a secret that came where nobody expects one")
  func elsewhere() throws {
    let secret = Self.planted + "0123456789abcdef"
    for path in ["/nobody/knows", "/token", "/v2/Services", "/livez/nowhere", "/prove/token"] {
      for request in Self.requests(.post, path, Self.names, secret) { _ = try world.send(request) }
    }

    try expectNone()
  }

  @Test("no output has a secret of a webhook's URL, body or answer")
  func webhooks() throws {
    let url =
      "http://user:\(Self.planted)1@127.0.0.1:9/hook?token=\(Self.planted)2&signature=\(Self.planted)3"
    try world.sandbox.atomically {
      _ = try world.sandbox.webhooks.enqueue(
        WebhookDraft(provider: "twilio", url: url, kind: "thing", subject: 1))
    }
    world.receiver.answer = .answered(status: 500, body: #"{"access_token":"\#(Self.planted)4"}"#)
    world.sendWebhooks()
    _ = try world.send(
      .post(
        "/v2/Services/VA00000000000000000000000000000001/Verifications",
        form: ["To": "+12025550100", "Channel": "sms", "StatusCallback": url],
        headers: Request.basic("AC00000000000000000000000000000001", "0123456789abcdef0123456789abcdef")))

    try expectNone()
  }

  /// Every place of a request in which a secret can be.
  private static func requests(
    _ method: HTTP.Method, _ path: String, _ names: [String], _ secret: String
  ) -> [Request] {
    let members = names.map { #""\#($0)":"\#(secret)""# }.joined(separator: ",")
    let json =
      #"{\#(members),"nested":{\#(members)},"list":[{\#(members)}],"number":{"password":[1,"\#(secret)"]}}"#
    let text =
      #"{"text":"\#(json.replacing(#"""#, with: #"\""#))","url":"https://u:\#(secret)@a.test/?key=\#(secret)"}"#
    let form = names.map { "\(PercentCoding.encode($0))=\(secret)" }.joined(separator: "&")
    let url = PercentCoding.encode("https://user:\(secret)@a.test/?token=\(secret)")
    var headers: Headers = ["Host": "127.0.0.1:5550"]
    for name in names where name.utf8.allSatisfy({ $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: ".") }) {
      headers.add(name, secret)
    }
    func request(_ kind: String, _ body: String, _ more: Headers, query: String = "") -> Request {
      var all = headers
      all.append(more)
      all.add("Content-Type", kind)
      return Request(method, Target(path + query), headers: all, body: Array(body.utf8))
    }
    return [
      request("application/json", json, ["Authorization": "Bearer \(secret)"]),
      request("application/json", text, Request.basic("name", secret)),
      request("application/x-www-form-urlencoded", form, ["Authorization": secret]),
      // JSON to an operation that takes a form, and the other way round.
      request("application/x-www-form-urlencoded", json, ["Cookie": "ringfence-token=\(secret)"]),
      request("application/x-www-form-urlencoded", PercentCoding.encode(json), [:]),
      request("application/json", form, ["Referer": "https://a.test/?access_token=\(secret)"]),
      request("application/x-www-form-urlencoded", "StatusCallback=\(url)&callback_url=\(url)", [:]),
      request("text/plain", "", [:], query: "?token=\(secret)&\(form)"),
    ]
  }

  private static func path(_ pattern: String, with value: String) -> String {
    pattern.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment.hasPrefix("{") ? value : String(segment)
    }.joined(separator: "/")
  }

  /// Reads everything that the control API and the console show.
  private func expectNone() throws {
    let routes = world.routes.filter {
      ["control", "console"].contains($0.owner) && $0.method == "GET" && $0.isMounted
        && $0.name != "fetchSnapshot"
    }
    #expect(routes.count > 50)
    for route in routes {
      let values = Self.values + catalog.map { $0.name }
      for value in route.path.contains("{") ? values : [""] {
        for query in ["", "?after=0", "?after=0.0"] {
          let path = Self.path(route.path, with: PercentCoding.encode(value)) + query
          let response = try world.answer(.to(path))
          let shown = String(decoding: response.headers.bytes + response.body, as: UTF8.self)
          #expect(!shown.contains(Self.planted), "\(route.name): \(path): \(Self.place(in: shown))")
        }
      }
    }
    for exchange in world.sandbox.journal.exchanges {
      for path in ["/control/journal/req_\(exchange.ordinal)", "/console/requests/\(exchange.ordinal)"] {
        let shown = String(decoding: try world.answer(.to(path)).body, as: UTF8.self)
        #expect(!shown.contains(Self.planted), "\(path): \(Self.place(in: shown))")
      }
    }
    for report in world.reports { #expect(!report.contains(Self.planted)) }
  }

  private static func place(in text: String) -> String {
    guard let found = text.firstRange(of: planted) else { return "" }
    return String(text[..<found.lowerBound].suffix(150)) + "…"
  }
}
