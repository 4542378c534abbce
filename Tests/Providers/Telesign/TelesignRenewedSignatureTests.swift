import Basics
import Crypto
import Domain
import HTTP
import Support
import Testing

@testable import Telesign

@Suite("Telesign · signed requests that are sent again", .contract("telesign.md 2.3, 2.5"))
struct TelesignRenewedSignatureTests {
  private static let path = "/v1/verify/sms"
  private static let body = Array("phone_number=12025550100".utf8)

  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  /// Sends a signed request, then the same one an hour later; returns both exchanges.
  private func sendTwice(
    dateField: String, hash: HMAC.Hash, key: String = TelesignWorld.key,
    as customer: String = TelesignWorld.customer
  ) throws -> [Journal.Exchange] {
    let date = telesign.sandbox.clock.now.httpDate
    var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded", dateField: date]
    headers.add("x-ts-nonce", "0123456789abcdef")
    if hash == .sha256 { headers.add("x-ts-auth-method", "HMAC-SHA256") }
    let unsigned = Request(.post, Target(Self.path), headers: headers, body: Self.body)
    let digest = Telesign.Digest(of: unsigned)
    let signature = try #require(digest).signature(by: key)
    headers.add("Authorization", "TSA \(customer):\(signature)")
    _ = try telesign.world.answer(.to(Self.path, .post, headers: headers, body: Self.body))
    try telesign.advance(3600)
    _ = try telesign.world.answer(.json(.post, "/control/requests", #"{"like":"latest"}"#))
    return telesign.sandbox.journal.exchanges
  }

  @Test(
    "a right signature is made anew, with the present time and another nonce",
    arguments: [("Date", HMAC.Hash.sha256), ("x-ts-date", .sha256), ("Date", .sha1)])
  func renewed(dateField: String, hash: HMAC.Hash) throws {
    let exchanges = try sendTwice(dateField: dateField, hash: hash)

    #expect(exchanges.map(\.status) == [200, 200])
    let head = String(decoding: exchanges[1].requestHead, as: UTF8.self)
    #expect(head.contains("\(dateField): Mon, 05 Jan 2026 11:20:30 GMT\r\n"))
    #expect(!head.contains("0123456789abcdef"))
  }

  @Test("a wrong signature stays as it was")
  func wrong() throws {
    let exchanges = try sendTwice(dateField: "Date", hash: .sha256, key: Base64.encode(Array("other".utf8)))

    #expect(exchanges.map(\.status) == [401, 401])
    let heads = exchanges.map { String(decoding: $0.requestHead, as: UTF8.self) }
    #expect(heads[1].hasPrefix(heads[0]))
  }

  @Test("an unknown customer's signature is not checked, but its time is")
  func unknown() throws {
    let customer = "AAAAAAAA-EEEE-DDDD-1234-AB1234567890"

    #expect(try sendTwice(dateField: "Date", hash: .sha256, as: customer).map(\.status) == [200, 200])
  }

  @Test("Basic credentials are sent as they are")
  func basic() throws {
    _ = try telesign.post(Self.path, form: ["phone_number": "12025550100"])

    _ = try telesign.world.answer(.json(.post, "/control/requests", #"{"like":"latest"}"#))

    let heads = telesign.sandbox.journal.exchanges.map { String(decoding: $0.requestHead, as: UTF8.self) }
    #expect(telesign.sandbox.journal.exchanges.map(\.status) == [200, 200] && heads[1].hasPrefix(heads[0]))
  }
}
