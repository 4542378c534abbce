import Carrier
import Foundation
import Numbers
import Testing

@Suite("Carrier · proxy user names")
struct ProxyUserTests {
  @Test(
    "a proxy user names a sandbox, a handset, both, or neither",
    arguments: [
      ("ci-17", "ci-17", nil), ("ci-17:", "ci-17", nil), ("ci-17:x", "ci-17", nil),
      ("ci-17:+12025550100", "ci-17", "+12025550100"), ("+12025550100", nil, "+12025550100"),
      ("+12025550100:+12025550101", nil, "+12025550100"), ("+12025550100:x:y", nil, "+12025550100"),
      (":", nil, nil), (":x", nil, nil), ("", nil, nil), (":+12025550100", nil, "+12025550100"),
    ] as [(String, String?, String?)])
  func user(pair: String, sandbox: String?, handset: String?) throws {
    let user = try #require(ProxyUser("basic " + Data(pair.utf8).base64EncodedString()))

    #expect(user.sandbox == sandbox)
    #expect(user.handset?.description == handset)
  }

  @Test(
    "other credentials are invalid",
    arguments: [
      "", "Basic", "Basic  ", "Bearer eA==", "Basic !", "Basic /w==",
      "Basic " + Data("+1:x".utf8).base64EncodedString(),
      "Basic " + Data("ci-17:+1202".utf8).base64EncodedString(),
    ])
  func unreadable(text: String) {
    #expect(ProxyUser(text) == nil)
  }
}
