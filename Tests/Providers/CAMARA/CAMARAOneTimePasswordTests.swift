import Domain
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · one-time passwords", .contract("camara.md 7"))
struct CAMARAOneTimePasswordTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private static let send = "/one-time-password-sms/v1/send-code"
  private let body = about(CAMARAWorld.a, #""message":"Code {{code}}""#)

  @Test("M36: ids and codes have the lengths of the contract, by default and by settings")
  func lengths() throws {
    let exchange = try camara.ask(Self.send, body)
    #expect(try camara.fields(of: exchange).string("authenticationId").count == 36)
    #expect(try camara.inbox().last?.code?.count == 6)
    try camara.configure(#""otpLength":8,"otpAlphabet":"alphanumeric""#)
    _ = try camara.ask(Self.send, body)

    let code = try #require(camara.inbox().last?.code)
    #expect(code.count == 8 && code.contains { !$0.isNumber })
  }

  @Test("a setting forbids the token of another number")
  func tokenContext() throws {
    try camara.configure(#""otpTokenContext":"INVALID_TOKEN_CONTEXT""#)

    // Not `ask`: the official file does not list this code.
    let refused = try camara.call(Self.send, body, token: camara.token(for: CAMARAWorld.b))
    #expect(try camara.error(refused) == "403 INVALID_TOKEN_CONTEXT")
  }
}
