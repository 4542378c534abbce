import Crypto
import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · requests", .contract("camara.md 2"))
struct CAMARARequestTests {
  let camara: CAMARAWorld
  private let body = #"{"phoneNumber":"+12025550100"}"#

  init() throws { camara = try CAMARAWorld() }

  private func check(
    _ body: String? = nil, token: String?, headers: Headers = [:], method: HTTP.Method = .post
  ) throws -> Exchange {
    try camara.call(
      "/sim-swap/v2/check", body ?? self.body, token: token, headers: headers, method: method)
  }

  @Test("M19: without a token that is valid, nothing is answered")
  func unauthenticated() throws {
    let token = try camara.token("sim-swap:check")
    var answers = [
      try check(token: nil), try check(token: nil, headers: ["Authorization": "Basic YTpi"]),
      try check(token: "x"), try check(token: "\(String(repeating: "0", count: 32)).sandbox-app"),
    ]
    answers[0].matches(golden: "no-token")
    try camara.advance("3600s")
    answers.append(try check(token: token))

    for answer in answers {
      #expect(try camara.error(answer) == "401 UNAUTHENTICATED")
      #expect(answer.headers["x-correlator"]?.isEmpty == false)
    }
  }

  @Test("M20: a token of another API")
  func scopes() throws {
    #expect(
      try camara.error(check(token: camara.token("device-swap:check"))) == "403 PERMISSION_DENIED")
    #expect(
      try camara.error(check(token: camara.token("sim-swap:retrieve-date"))) == "403 PERMISSION_DENIED")
    #expect(try check(token: camara.token("sim-swap")).answer.hasPrefix("200"))
  }

  @Test("M21: a correlator is echoed, made, or refused")
  func correlator() throws {
    let token = try camara.token("sim-swap:check")
    #expect(try check(token: token, headers: ["x-correlator": "a-1"]).headers["x-correlator"] == "a-1")
    #expect(try check("{}", token: token, headers: ["x-correlator": "a-1"]).headers["x-correlator"] == "a-1")
    #expect(try check("[]", token: token, headers: ["x-correlator": "a-1"]).headers["x-correlator"] == "a-1")
    #expect(try check(token: token).headers["x-correlator"]?.isEmpty == false)
    let bad = try check(token: token, headers: ["x-correlator": "bad value!"])
    #expect(try camara.error(bad) == "400 INVALID_ARGUMENT")
    #expect(bad.headers["x-correlator"] != "bad value!")
  }

  @Test("M22: other methods, types and bodies")
  func forms() throws {
    let token = try camara.token("sim-swap:check")
    let get = try check("", token: token, method: .get)
    #expect(try camara.error(get) == "405 METHOD_NOT_ALLOWED")
    #expect(get.headers["Allow"] == "POST")
    #expect(
      try camara.error(check(token: token, headers: ["Content-Type": "text/plain"]))
        == "415 UNSUPPORTED_MEDIA_TYPE")
    #expect(try camara.error(check(token: token, headers: ["Accept": "text/html"])) == "406 NOT_ACCEPTABLE")
    for body in ["", "[]", "{", "null", #"{"phoneNumber":1}"#, #"{"phoneNumber":null}"#] {
      #expect(try camara.error(check(body, token: token)) == "400 INVALID_ARGUMENT", "\(body)")
    }
    #expect(
      try camara.error(camara.call("/camara/sim-swap/v9/check", body, token: token)) == "404 NOT_FOUND")
  }

  @Test("with the setting, members that the specification does not have are refused")
  func unknownMembers() throws {
    let token = try camara.token("sim-swap:check")
    let body = #"{"phoneNumber":"+12025550100","colour":"red"}"#
    #expect(try check(body, token: token).answer.hasPrefix("200"))
    try camara.load(#"{"settings":{"unknownMembers":"refuse"}}"#)
    #expect(try camara.error(check(body, token: token)) == "400 INVALID_ARGUMENT")
  }
}
