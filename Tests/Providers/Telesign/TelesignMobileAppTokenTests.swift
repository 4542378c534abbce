import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Telesign

@Suite("Telesign · Verify API: apps", .contract("telesign.md 4.4 and 5.1"))
struct TelesignMobileAppTokenTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private static let policy =
    #","verification_policy":[{"method":"push","fallback_time":60},{"method":"sms"}]"#

  private func verification(of token: String) throws -> Verification? {
    try Telesign.MobileAppToken.verification(of: token, in: telesign.sandbox)
  }

  @Test("a token is valid for its own verification, for five minutes, and only unchanged")
  func good() throws {
    let created = try telesign.create(Self.policy + #","push_registration":true"#).members()
    let token = try created.string("mobile_app_token")
    let other = try telesign.create(Self.policy + #","push_registration":true"#).members()
      .string("mobile_app_token")

    #expect(token != other)
    #expect(try verification(of: token)?.ordinal != verification(of: other)?.ordinal)
    let parts = token.split(separator: ".")
    let forged = [String(parts[0]), String(parts[1]), String(other.split(separator: ".")[2])]
    for bad in [forged.joined(separator: "."), "", "..", "a.b.c", String(token.dropLast()), "\(token)="] {
      #expect(try verification(of: bad) == nil, "\(bad)")
    }
    try telesign.advance(299)
    #expect(try verification(of: token) != nil)
    try telesign.advance(1)
    #expect(try verification(of: token) == nil)
  }
}
