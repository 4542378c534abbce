import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · one-time passwords", .contract("camara.md 7"))
struct CAMARAOneTimePasswordTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private static let send = "/one-time-password-sms/v1/send-code"
  private static let validate = "/one-time-password-sms/v1/validate-code"

  private func send(
    to number: String = CAMARAWorld.a, _ message: String = "Code {{code}}", as own: String? = nil
  ) throws -> Exchange {
    try camara.ask(Self.send, about(number, #""message":"\#(message)""#), as: own)
  }

  /// Sends a code, and returns the id.
  private func sent() throws -> String { try camara.fields(of: send()).string("authenticationId") }

  private func validate(_ code: String, _ id: String) throws -> Exchange {
    try camara.ask(Self.validate, #"{"authenticationId":"\#(id)","code":"\#(code)"}"#)
  }

  private func error(_ code: String, _ id: String) throws -> String {
    try camara.error(validate(code, id)).replacing("ONE_TIME_PASSWORD_SMS.", with: "")
  }

  @Test("M36: a text has the code, and the right code has an empty answer")
  func code() throws {
    let exchange = try send(CAMARAWorld.a, "{{code}} is your code: {{code}}")
    let id = try camara.fields(of: exchange).string("authenticationId")
    let message = try #require(camara.inbox().last)
    let code = try #require(message.code)
    let validated = try validate(code, id)

    exchange.matches(golden: "sent")
    validated.matches(golden: "right")
    #expect(id.count <= 36 && code.count == 6)
    #expect(message.text == "\(code) is your code: \(code)")
    #expect(validated.answer == "204")
  }

  @Test("M37: the last wrong code ends the attempt, and the right one comes too late")
  func wrong() throws {
    let id = try sent()
    let right = try #require(camara.inbox().last?.code)

    let wrong = try validate("000000", id)
    wrong.matches(golden: "wrong")
    #expect(
      try [camara.error(wrong).replacing("ONE_TIME_PASSWORD_SMS.", with: "")]
        + ["000000", "000000", right].map { try error($0, id) } == [
          "400 INVALID_OTP", "400 INVALID_OTP", "400 VERIFICATION_FAILED", "400 VERIFICATION_FAILED",
        ])
  }

  @Test("M38: a code expires by the clock, by a newer code and by its use; an unknown id is not found")
  func expired() throws {
    let (first, code) = (try sent(), try #require(camara.inbox().last?.code))
    try camara.advance(121)
    #expect(try error(code, first) == "400 VERIFICATION_EXPIRED")

    let (second, other) = (try sent(), try #require(camara.inbox().last?.code))
    let (third, last) = (try sent(), try #require(camara.inbox().last?.code))
    #expect(try error(other, second) == "400 VERIFICATION_EXPIRED")

    #expect(try validate(last, third).answer == "204")
    #expect(try error(last, third) == "400 VERIFICATION_EXPIRED")
    #expect(try error(last, "ea0840f3-3663-4149-bd10-c7c6b8912105") == "404 NOT_FOUND")
    let foreign = try camara.ask(
      Self.validate, #"{"authenticationId":"\#(third)","code":"1"}"#, of: "other-app")
    #expect(try camara.error(foreign) == "404 NOT_FOUND")
  }

  @Test(
    "M39: a message without its label or too long, and a line without texts, is refused",
    arguments: [
      ("+12025550100", "Code", "400 INVALID_ARGUMENT"),
      ("+12025550100", "{{code}}" + String(repeating: "x", count: 153), "400 INVALID_ARGUMENT"),
      ("+12025550112", "{{code}}", "403 PHONE_NUMBER_NOT_ALLOWED"),
      ("+12025550156", "{{code}}", "403 PHONE_NUMBER_BLOCKED"),
      ("+12025550132", "{{code}}", "404 NOT_FOUND"),
      ("12025550100", "{{code}}", "400 INVALID_ARGUMENT"),
    ])
  func refused(number: String, message: String, error: String) throws {
    let exchange = try send(to: number, message)

    #expect(try camara.error(exchange).replacing("ONE_TIME_PASSWORD_SMS.", with: "") == error)
    #expect(try camara.inbox(number).isEmpty)
  }

  @Test("M39: the sixth code within an hour is too many")
  func tooMany() throws {
    let answers = try (1...5).map { _ in try send().answer.prefix(3) }
    let refused = try send()
    try camara.advance(3600)

    refused.matches(golden: "too-many")
    #expect(answers == Array(repeating: "200", count: 5))
    #expect(try camara.error(refused) == "403 ONE_TIME_PASSWORD_SMS.MAX_OTP_CODES_EXCEEDED")
    #expect(try camara.inbox().count == 5)
    #expect(try send().answer.hasPrefix("200"))
  }

  @Test("a code of 11 characters and an id of 37 are invalid", arguments: [(11, 36), (10, 37)])
  func lengths(code: Int, id: Int) throws {
    #expect(
      try error(String(repeating: "1", count: code), String(repeating: "a", count: id))
        == "400 INVALID_ARGUMENT")
  }

  @Test("length, alphabet, validity and tries are settings")
  func settings() throws {
    try camara.configure(
      #""otpLength":8,"otpAlphabet":"alphanumeric","otpValidity":600,"otpMaxTry":1,"otpMessageLimit":20"#)
    let id = try sent()
    let code = try #require(camara.inbox().last?.code)
    try camara.advance(599)

    #expect(code.count == 8 && code.contains { !$0.isNumber })
    #expect(try camara.error(send(CAMARAWorld.b, "{{code}} 3456789012345")) == "400 INVALID_ARGUMENT")
    #expect(try error("0", id) == "400 VERIFICATION_FAILED")
  }

  @Test("a token of another number is accepted, unless a setting forbids it")
  func tokenContext() throws {
    #expect(try send(as: CAMARAWorld.b).answer.hasPrefix("200"))
    try camara.configure(#""otpTokenContext":"INVALID_TOKEN_CONTEXT""#)

    // Not `ask`: the official file does not list this code.
    let refused = try camara.call(
      Self.send, about(CAMARAWorld.a, #""message":"Code {{code}}""#), token: camara.token(for: CAMARAWorld.b))
    #expect(try camara.error(refused) == "403 INVALID_TOKEN_CONTEXT")
    #expect(try send(as: CAMARAWorld.a).answer.hasPrefix("200"))
  }

  private func send(_ number: String, _ message: String) throws -> Exchange {
    try send(to: number, message)
  }
}
