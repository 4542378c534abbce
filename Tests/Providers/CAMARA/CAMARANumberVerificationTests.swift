import Crypto
import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · Number Verification", .contract("camara.md 5"))
struct CAMARANumberVerificationTests {
  let camara: CAMARAWorld
  private let both = "number-verification:verify number-verification:device-phone-number:read"

  init() throws { camara = try CAMARAWorld() }

  private func verify(_ body: String, _ token: String) throws -> Exchange {
    try camara.call("/number-verification/v2/verify", body, token: token)
  }

  private func share(_ token: String) throws -> Exchange {
    try camara.call("/number-verification/v2/device-phone-number", "", token: token, method: .get)
  }

  private func hash(_ text: String) -> String { Hex.encode(SHA256.hash(Array(text.utf8))) }

  @Test("M23: a number or its hash is the handset's, or not")
  func verified() throws {
    let token = try camara.c3(CAMARAWorld.a)
    let bodies = [
      #"{"phoneNumber":"\#(CAMARAWorld.a)"}"#, #"{"phoneNumber":"\#(CAMARAWorld.b)"}"#,
      #"{"hashedPhoneNumber":"\#(hash(CAMARAWorld.a))"}"#,
      #"{"hashedPhoneNumber":"\#(hash(CAMARAWorld.b))"}"#,
      #"{"hashedPhoneNumber":"\#(hash("12025550100"))"}"#,
      #"{"hashedPhoneNumber":"\#(hash(CAMARAWorld.a).uppercased())"}"#,
    ]

    #expect(
      try bodies.map { try verify($0, token).answer }
        == [true, false, true, false, false, true].map { #"200 {"devicePhoneNumberVerified":\#($0)}"# })
    try verify(bodies[0], token).matches(golden: "verified")
  }

  @Test("M25: a number that a back end has named is not proved")
  func notProved() throws {
    let refused = "403 NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK"
    let body = #"{"phoneNumber":"\#(CAMARAWorld.a)"}"#
    let twoLegs = try verify(body, camara.token("number-verification:verify"))
    #expect(try camara.error(twoLegs) == refused)
    twoLegs.matches(golden: "two-legs")
    let named = try camara.j3("tel:\(CAMARAWorld.a)", scope: both)
    #expect(try camara.error(verify(body, named)) == refused)
    #expect(try camara.error(share(named)) == refused)
    try share(named).matches(golden: "named")
  }

  @Test("M26: a SIM token proves the number")
  func simToken() throws {
    let token = try camara.j3("operatortoken:\(camara.simToken(CAMARAWorld.a))", scope: both)

    #expect(
      try verify(#"{"phoneNumber":"\#(CAMARAWorld.a)"}"#, token).answer
        == #"200 {"devicePhoneNumberVerified":true}"#)
    let shared = try share(token)
    #expect(shared.answer == #"200 {"devicePhoneNumber":"+12025550100"}"#)
    shared.matches(golden: "shared")
  }
}
