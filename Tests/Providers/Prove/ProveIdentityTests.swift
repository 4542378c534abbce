import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Prove

@Suite("Prove · Identity Manager", .contract("prove.md 7.4"))
struct ProveIdentityTests {
  @Test("an enrolled number is listed, fetched and found by its number")
  func enrolled() throws {
    let prove = try ProveWorld()
    let enrolled = try prove.call(
      .post, "/v3/identity", #"{"phoneNumber":"2001004031","clientCustomerId":"c1","clientRequestId":""}"#)
    enrolled.matches(golden: "enrolled")
    let id = try prove.fields(of: enrolled).string("proveId")

    try prove.call(.get, "/v3/identity?clientRequestId=r1").matches(golden: "one")
    try prove.call(.get, "/v3/identity/\(id)").matches(golden: "found")
    try prove.call(.get, "/v3/identity/+12001004031/lookup").matches(golden: "raw-plus")
    let encoded = try prove.call(.get, "/v3/identity/%2B12001004031/lookup?clientRequestId=r1")
    #expect(encoded.answer.contains(id))
    #expect(try prove.call(.get, "/v3/identity/2001004035/lookup").answer == "200 {}")
  }

  @Test("a number that is enrolled again keeps its id and what was not sent again")
  func again() throws {
    let prove = try ProveWorld()
    let first = try prove.enroll(#"{"phoneNumber":"2001004031","clientCustomerId":"c1","deviceId":"d1"}"#)
    let second = try prove.enroll(#"{"phoneNumber":"+12001004031","clientCustomerId":"c2"}"#)

    #expect(first == second)
    let item = try prove.fields(of: prove.call(.get, "/v3/identity/\(first)"))
    #expect(try item.string("phoneNumber") == "+12001004031")
    #expect(try item.string("clientCustomerId") == "c2")
    #expect(try item.string("deviceId") == "d1")
  }

  @Test("an inactive identity is listed on demand only, and a disenrolled one is gone")
  func lifecycle() throws {
    let prove = try ProveWorld()
    let id = try prove.enroll(#"{"phoneNumber":"2001004031"}"#)

    try prove.call(.post, "/v3/identity/\(id)/deactivate").matches(golden: "deactivated")
    #expect(try prove.call(.get, "/v3/identity").answer == #"200 {"results":[]}"#)
    #expect(try prove.call(.get, "/v3/identity?showInactive=true").answer.contains(id))
    #expect(try prove.call(.get, "/v3/identity/\(id)").answer.contains(#""active":false"#))
    try prove.call(.post, "/v3/identity/\(id)/activate", #"{"clientRequestId":"r1"}"#)
      .matches(golden: "activated")
    #expect(try prove.call(.get, "/v3/identity").answer.contains(id))
    try prove.call(.delete, "/v3/identity/\(id)?clientRequestId=r1").matches(golden: "disenrolled")
    #expect(
      try prove.call(.get, "/v3/identity/\(id)").answer
        == #"404 {"code":8011,"message":"Identity Not Found"}"#)
    #expect(try prove.enroll(#"{"phoneNumber":"2001004031"}"#) == id)
  }

  @Test("items of a batch have any of the documented shapes")
  func batch() throws {
    let prove = try ProveWorld()
    let id = try prove.enroll(#"{"phoneNumber":"2001004036"}"#)
    let batch = try prove.call(
      .post, "/v3/identity/batch",
      """
      {"clientRequestId":"r1","items":[{"phoneNumber":"2001004031","clientCustomerId":"c1"},\
      {"clientName":"n","identityId":"\(id)","pcid":"p"},{"clientName":"n","identityId":"i","pcid":"p"},\
      {"phoneNumber":"abc"},{"phoneNumber":"2125550100"}]}
      """)

    batch.matches(golden: "mixed")
    let older = try prove.call(
      .post, "/v3/identity/batch", #"{"identities":[{"phoneNumber":"2001004035"}]}"#)
    #expect(older.answer.contains("proveId"))
    #expect(try prove.call(.post, "/v3/identity/batch", "{}").answer == "200 {}")
  }

  @Test("a batch may be longer than 4 KB and have 1000 items, and other bodies may not")
  func sizes() throws {
    let prove = try ProveWorld()
    let item = #"{"phoneNumber":"2001004031"}"#
    func answer(_ count: Int) throws -> String {
      let items = Array(repeating: item, count: count).joined(separator: ",")
      return try prove.call(.post, "/v3/identity/batch", "{\"items\":[\(items)]}").answer
    }

    #expect(try answer(1000).hasPrefix("200 "))
    #expect(try answer(1001).hasPrefix(#"400 {"code":8001,"message":"field 'items' is invalid"#))
    let long = String(repeating: "x", count: 4096)
    #expect(
      try prove.call(.post, "/v3/identity", "{\"phoneNumber\":\"2001004031\",\"x\":\"\(long)\"}").answer
        == #"400 {"code":8001,"message":"the body is too large: expected at most 4096 bytes"}"#)
  }

  @Test("pages follow each other by their last key")
  func pages() throws {
    let prove = try ProveWorld()
    let ids = try ["2001004031", "2001004035", "2001004036"].map {
      try prove.enroll("{\"phoneNumber\":\"\($0)\"}")
    }
    var found: [String] = []
    var key: String?
    repeat {
      let query = key.map { "&startKey=\($0)" } ?? ""
      let page = try prove.fields(of: prove.call(.get, "/v3/identity?limit=1\(query)"))
      found += try page.objects("results").map { try $0.string("proveId") }
      key = try page.optionalString("lastKey")
    } while key != nil && found.count < 9

    #expect(found == ids)
  }

  @Test(
    "a wrong query names the field",
    arguments: [
      ("limit=0", "field 'limit' is invalid: expected a whole number from 1 to 1000"),
      ("showInactive=yes", "field 'showInactive' is invalid: expected true or false"),
      (
        "startKey=abc",
        "field 'startKey' is invalid: expected the lastKey of a page with the same showInactive"
      ),
    ])
  func wrongQuery(query: String, message: String) throws {
    let answer = try ProveWorld().call(.get, "/v3/identity?\(query)").answer

    #expect(answer == #"400 {"code":8001,"message":"\#(message)"}"#)
  }

  @Test("only test users of Identity Manager can be enrolled")
  func otherNumbers() throws {
    let prove = try ProveWorld()

    #expect(
      try prove.call(.post, "/v3/identity", #"{"phoneNumber":"2001004014"}"#).answer.hasPrefix(
        #"401 {"code":8009,"#))
    #expect(
      try prove.call(.post, "/v3/identity", #"{"phoneNumber":"2125550100"}"#).answer.hasPrefix(
        #"400 {"code":8007,"#))
    #expect(
      try prove.call(.post, "/v3/identity", #"{"phoneNumber":""}"#).answer
        == #"400 {"code":8001,"message":"field 'phoneNumber' is missing"}"#)
  }
}

@Suite("Prove · discover and fetch", .contract("prove.md 7.5"))
struct ProveAttributeTests {
  @Test("attributes of an enrollment are listed without and fetched with their value")
  func roundTrip() throws {
    let prove = try ProveWorld()
    let body = { (value: String) in
      """
      {"phoneNumber":"2001004031","identityAttributes":[{"attributeType":"walletId","attributeValue":"\(value)"}]}
      """
    }
    let id = try prove.enroll(body("w1"))
    let discovered = try prove.call(.get, "/v3/discover?proveId=\(id)&clientRequestId=r1")
    discovered.matches(golden: "one")
    let attribute = try prove.fields(of: discovered).objects("results")[0].string("attributeId")
    let path = "/v3/fetch?proveId=\(id)&attributeId=\(attribute)"
    try prove.call(.get, path).matches(golden: "value")

    _ = try prove.enroll(body("w2"))
    #expect(try prove.call(.get, path).answer.contains(#""attributeValue":"w2""#))
  }

  @Test("unknown ids are not found, missing ones are named, and without attributes nothing is listed")
  func nothing() throws {
    let prove = try ProveWorld()
    let id = try prove.enroll(#"{"phoneNumber":"2001004031"}"#)
    let notFound = #"404 {"code":8011,"message":"Identity Not Found"}"#

    #expect(try prove.call(.get, "/v3/discover?proveId=\(id)").answer == "200 {}")
    #expect(try prove.call(.get, "/v3/discover?proveId=x").answer == notFound)
    #expect(try prove.call(.get, "/v3/fetch?proveId=\(id)&attributeId=x").answer == notFound)
    #expect(
      try prove.call(.get, "/v3/discover").answer
        == #"400 {"code":8001,"message":"field 'proveId' is missing"}"#)
    #expect(
      try prove.call(.get, "/v3/fetch?proveId=\(id)").answer
        == #"400 {"code":8001,"message":"field 'attributeId' is missing"}"#)
  }
}

extension ProveWorld {
  /// The id that an enrollment answers with.
  func enroll(_ body: String) throws -> String {
    try fields(of: call(.post, "/v3/identity", body)).string("proveId")
  }
}
