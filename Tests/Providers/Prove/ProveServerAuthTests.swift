import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prove

@Suite("Prove · the older server API", .contract("prove.md 8"))
struct ProveServerAuthTests {
  private static let request = "0d9e0c1c-6f43-4b44-9a52-6c6b6b0b9d10"

  private func start(_ prove: ProveWorld, _ authenticators: String = "") throws -> Exchange {
    let mobile = #"{"claim":{"mobileNumber":"2001004014"}\#(authenticators)}"#
    return try prove.call(
      .post, "/v1/server/auth/start", #"{"requestId":"\#(Self.request)","subjects":{"mobile":\#(mobile)}}"#)
  }

  @Test("the result of an authentication names how it passed")
  func passed() throws {
    let prove = try ProveWorld()
    let started = try start(
      prove, #","authenticators":{"otp":{"messageText":"Your code: ####","allowOtpRetry":true}}"#)
    let id = try prove.fields(of: started).string("authId")

    _ = try prove.call(.post, "/v1/server/auth/finish", #"{"authId":"\#(id)"}"#)
    let session = try #require(try Session.find(authID: id, in: prove.sandbox))
    try prove.change(session) { try $0.pass(by: .otp) }
    try prove.call(.post, "/v1/server/auth/finish", #"{"authId":"\#(id)"}"#).matches(golden: "passed")
  }

  @Test("continue binds a number")
  func bind() throws {
    let prove = try ProveWorld()
    let id = try prove.fields(of: start(prove)).string("authId")
    let body = """
      {"authId":"\(id)","requestId":"\(Self.request)","subjects":{"mobile":{"claim":{"mobileNumber":"2001004015"}}}}
      """
    _ = try prove.call(.post, "/v1/server/auth/continue", body)
    let session = try #require(try Session.find(authID: id, in: prove.sandbox))
    try prove.change(session) { try $0.start(on: SessionDevice(), with: nil) }
    try prove.call(.post, "/v1/server/auth/continue", body).matches(golden: "bound")
  }
}

extension ProveWorld {
  fileprivate func change(_ session: Session, _ change: (inout Possession) throws -> Void) throws {
    var possession = Possession(
      session, Settings(), client: try Client.known(in: sandbox), in: sandbox)
    try sandbox.atomically { try change(&possession) }
  }
}
