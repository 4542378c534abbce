import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prove

@Suite("Prove · domains", .contract("prove.md 7.7"))
struct ProveDomainTests {
  @Test("a client has a domain of its name")
  func ownDomain() throws {
    let prove = try ProveWorld()

    let first = try prove.call(.get, "/v3/domain/id")
    first.matches(golden: "own")
    #expect(try prove.call(.get, "/v3/domain/id").answer == first.answer)
  }

  @Test("a link is requested, confirmed and ended; linked domains see each other's identities")
  func link() throws {
    let prove = try ProveWorld()
    try prove.addClient("other")
    let own = try prove.pcid(of: nil)
    let other = try prove.pcid(of: "other")
    let identities = try [nil, "other"].map { client in
      let body = #"{"phoneNumber":"2001004031"}"#
      let answer = try prove.call(.post, "/v3/identity", body, token: client.map { try prove.token(of: $0) })
      return try prove.fields(of: answer).string("proveId")
    }

    try prove.call(.get, "/v3/domain/linked").matches(golden: "none")
    try prove.call(.post, "/v3/domain/link", #"{"pcid":"\#(other)","scopes":["identity"]}"#)
      .matches(golden: "requested")
    #expect(
      try prove.call(.get, "/v3/domain/linked").answer.hasPrefix(#"200 {"requestsTo":[{"pcid":"\#(other)""#))
    #expect(
      try prove.call(.post, "/v3/identity/\(identities[0])/cross-domain").answer
        == #"200 {"count":0,"identities":[]}"#)

    let others = try prove.token(of: "other")
    try prove.call(.post, "/v3/domain/confirm-link", #"{"pcid":"\#(own)"}"#, token: others)
      .matches(golden: "confirmed")
    try prove.call(.get, "/v3/domain/linked", token: others).matches(golden: "from")
    try prove.call(.post, "/v3/identity/\(identities[0])/cross-domain", #"{"clientRequestId":"r1"}"#)
      .matches(golden: "one")

    try prove.call(.post, "/v3/domain/unlink", #"{"pcidTo":"\#(other)"}"#).matches(golden: "unlinked")
    #expect(try prove.call(.get, "/v3/domain/linked").answer == "200 {}")
  }

  @Test("attributes of linked domains are discovered")
  func attributes() throws {
    let prove = try ProveWorld()
    try prove.addClient("other")
    let others = try prove.token(of: "other")
    _ = try prove.call(
      .post, "/v3/identity",
      #"{"phoneNumber":"2001004031","identityAttributes":[{"attributeType":"walletId","attributeValue":"w"}]}"#,
      token: others)
    let id = try prove.enroll(#"{"phoneNumber":"2001004031"}"#)
    #expect(try prove.call(.get, "/v3/discover?proveId=\(id)").answer == "200 {}")

    _ = try prove.call(.post, "/v3/domain/link", #"{"pcid":"\#(prove.pcid(of: nil))"}"#, token: others)
    _ = try prove.call(.post, "/v3/domain/confirm-link", #"{"pcid":"\#(prove.pcid(of: "other"))"}"#)
    #expect(try prove.call(.get, "/v3/discover?proveId=\(id)").answer.contains(#""issuerId":"other""#))
  }

  @Test("a link needs another domain, and a confirmation its request")
  func refused() throws {
    let prove = try ProveWorld()
    try prove.addClient("other")
    let own = try prove.pcid(of: nil)
    let other = try prove.pcid(of: "other")

    for pcid in [own, "x"] {
      #expect(
        try prove.call(.post, "/v3/domain/link", #"{"pcid":"\#(pcid)"}"#).answer
          == #"400 {"code":8001,"message":"field 'pcid' is invalid: expected the pcid of another domain"}"#)
    }
    #expect(
      try prove.call(.post, "/v3/domain/confirm-link", #"{"pcid":"\#(other)"}"#).answer
        == #"403 {"code":8003,"message":"step not allowed"}"#)
    #expect(
      try prove.call(.post, "/v3/domain/unlink", #"{"pcidTo":"\#(other)"}"#).answer.hasPrefix(
        #"400 {"code":8001,"message":"field 'pcidTo' is invalid"#))
  }
}

extension ProveWorld {
  /// A second client, in the same sandbox.
  func addClient(_ id: String, secret: String = "s") throws {
    var client = Client(withID: id)
    client.secret = secret
    _ = try sandbox.atomically { try client.save(in: sandbox) }
  }

  func token(of client: String, secret: String = "s") throws -> String {
    try fields(of: ask(id: client, secret: secret)).string("access_token")
  }

  /// The id of a client's domain; nil for the default client.
  func pcid(of client: String?) throws -> String {
    let own = try client.map { try token(of: $0) }
    return try fields(of: call(.get, "/v3/domain/id", token: own)).string("pcid")
  }
}
