import Basics
import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prelude

@Suite("Prelude · signals and silent verification", .contract("prelude.md 13, 14"))
struct PreludeSilentTests {
  static let signals = "/v1/signals"
  static let dispatch = "019c0000-0000-7000-8000-000000000001"
  static let number = "+33639980001"
  let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  private func headers(key: String = PreludeWorld.sdkKey) -> Headers {
    ["X-SDK-DispatchID": Self.dispatch, "X-SDK-Key": key, "X-SDK-Implemented-Features": "1"]
  }

  @Test("a payload of any bytes is accepted")
  func payload() throws {
    var headers = headers()
    headers.append(["Content-Encoding": "deflate", "Content-Type": "application/vnd.prelude.signals"])

    try prelude.world.send(.to(Self.signals, .post, headers: headers, body: [0x01, 0xFF, 0x00, 0x7F]))
      .matches(golden: "payload")
  }

  @Test("a query with a broken escape is rejected with the name of its field")
  func brokenQuery() throws {
    try prelude.advance(120)
    for _ in 0..<2 { _ = try prelude.get("/silent/v1/s_unknown", as: [:]) }

    try prelude.get("/silent/v1/s_unknown/complete?grant=%GG", as: [:]).matches(golden: "broken-query")
  }

  @Test("the keys of another sandbox select it, and its silent URLs stay in it", .contract("prelude.md 1.2"))
  func otherSandbox() throws {
    var origin = Sandbox.Configuration()
    origin.clock = .frozen(TestSandbox.start)
    let other = try #require(try prelude.world.sandboxes.create("other", origin))
    let keys = try PreludeProvider.credentials(of: other).map(\.value)
    _ = try prelude.send(.options, Self.signals, as: headers(key: keys[1]))

    let created = try prelude.create(
      Self.number, as: ["Authorization": "Bearer \(keys[0])"], #","dispatch_id":"\#(Self.dispatch)""#)
    let url = try Fields(created.body).object("silent").string("request_url")
    let hops = try walk(url)

    #expect(url.hasPrefix("http://127.0.0.1:5550/s/other/silent/v1/s_"))
    #expect(hops.last?.answer.hasPrefix(#"200 {"code":"#) == true)
    #expect(try prelude.sandbox.verifications.list("prelude", before: .max, limit: 1) == [])
  }

  /// Every answer of a chain of redirects, the last one included.
  private func walk(_ url: String) throws -> [Exchange] {
    var (exchanges, path) = ([Exchange](), url)
    while exchanges.count < 20 {
      let target = path.replacing(#/^https?:\/\/[^\/]+/#, with: "")
      let exchange = try prelude.get(target, as: [:])
      exchanges.append(exchange)
      guard let next = exchange.headers["Location"] else { break }
      #expect(next.hasPrefix("http://"))
      path = next
    }
    return exchanges
  }
}
