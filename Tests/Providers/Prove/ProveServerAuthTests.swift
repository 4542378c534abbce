import Domain
import HTTP
import JSON
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

  @Test("an authentication is started, and its result names how it passed")
  func passed() throws {
    let prove = try ProveWorld()
    let started = try start(
      prove, #","authenticators":{"otp":{"messageText":"Your code: ####","allowOtpRetry":true}}"#)
    started.matches(golden: "started")
    let id = try prove.fields(of: started).string("authId")

    try prove.call(.post, "/v1/server/auth/finish", #"{"authId":"\#(id)"}"#).matches(golden: "no-device")
    let session = try #require(try Session.find(authID: id, in: prove.sandbox))
    #expect(session.options.allowsOTPRetry)
    try prove.change(session) { try $0.pass(by: .otp) }
    try prove.call(.post, "/v1/server/auth/finish", #"{"authId":"\#(id)"}"#).matches(golden: "passed")
  }

  @Test("continue binds a number to the device's key")
  func bind() throws {
    let prove = try ProveWorld()
    let id = try prove.fields(of: start(prove)).string("authId")
    let body = """
      {"authId":"\(id)","requestId":"\(Self.request)","subjects":{"mobile":{"claim":{"mobileNumber":"2001004015"}}}}
      """
    let early = try prove.call(.post, "/v1/server/auth/continue", body)
    #expect(
      early.answer
        == #"200 {"subjects":{"mobile":{"success":false,"error":{"code":10004,"message":"device authentication missing"}}}}"#
    )

    let session = try #require(try Session.find(authID: id, in: prove.sandbox))
    try prove.change(session) { try $0.start(on: SessionDevice(), with: nil) }
    try prove.call(.post, "/v1/server/auth/continue", body).matches(golden: "bound")
    #expect(
      try prove.call(.post, "/v1/server/auth/finish", #"{"authId":"\#(id)"}"#).answer.contains(
        #""claim":{"mobileNumber":"2001004015"}"#))
  }

  @Test("maxAge -1 asks for a new binding, and a link alone is for browsers")
  func authenticators() throws {
    let prove = try ProveWorld()
    func session(_ authenticators: String) throws -> Session {
      let id = try prove.fields(of: start(prove, #","authenticators":{\#(authenticators)}"#)).string("authId")
      return try #require(try Session.find(authID: id, in: prove.sandbox))
    }

    #expect(try session(#""passive":{"maxAge":-1}"#).options.rebind)
    let link = try session(
      #""instantlink":{"finalTargetUrl":"https://a.example/b","messageText":"Open ####"}"#)
    #expect(link.possession == .desktop)
    #expect(link.options.finalTargetURL == "https://a.example/b")
  }

  @Test("wrong requests name the field, and unknown ids are refused")
  func wrong() throws {
    let prove = try ProveWorld()

    #expect(
      try prove.call(.post, "/v1/server/auth/start", #"{"requestId":"x"}"#).answer
        == #"400 {"code":8001,"message":"field 'requestId' is invalid: expected a UUID"}"#)
    #expect(
      try prove.call(.post, "/v1/server/auth/start", #"{"requestId":"\#(Self.request)"}"#).answer
        == #"400 {"code":8001,"message":"field 'subjects' is missing"}"#)
    for subjects in [#""device":{}"#, #""mobile":{},"device":{}"#, #""mobile":{},"card":{}"#] {
      #expect(
        try prove.call(
          .post, "/v1/server/auth/start", #"{"requestId":"\#(Self.request)","subjects":{\#(subjects)}}"#
        ).answer
          == #"400 {"code":8001,"message":"field 'subjects' is invalid: "#
          + #"expected the subject mobile alone; others are not emulated"}"#)
    }
    #expect(
      try start(prove, #","authenticators":{"otp":{"messageText":"no code"}}"#).answer.hasPrefix(
        #"400 {"code":8001,"message":"field 'messageText' is invalid"#))
    #expect(
      try prove.call(.post, "/v1/server/auth/finish", #"{"authId":"x"}"#).answer
        == #"400 {"code":8008,"message":"invalid correlation ID"}"#)
  }
}

extension ProveWorld {
  fileprivate func change(_ session: Session, _ change: (inout Possession) throws -> Void) throws {
    var possession = Possession(
      session, Settings(), client: try Client.known(in: sandbox), in: sandbox)
    try sandbox.atomically { try change(&possession) }
  }
}
