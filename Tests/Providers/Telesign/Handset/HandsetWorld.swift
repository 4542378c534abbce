import Domain
import HTTP
import JSON
import Support
import Testing

/// A handset with the vendor's SDK in an app, as tests use it.
extension TelesignWorld {
  static let app = "com.your.app:1.2.0"
  static let token = "fcm-token-1"

  /// A verification that an app acts for: its reference id and the app's token.
  struct Errand {
    let reference: String
    let token: String

    init(_ created: Exchange) throws {
      reference = try created.members().string("reference_id")
      token = try created.members().string("mobile_app_token")
    }
  }

  /// A back end asks to register a device.
  func beginRegistration(of number: String = number) throws -> Errand {
    try Errand(create(Self.login + #","push_registration":true"#, to: number))
  }

  /// An app registers itself, with the code that was sent unless another is given; `members` stand behind it.
  func register(
    _ errand: Errand, code: String? = nil, number: String = number, app: String = app, _ members: String = ""
  ) throws -> Exchange {
    let code = try code ?? self.code(to: number)
    return try handset(
      .post, "registrations", errand.token,
      #"{"phone_number":"\#(number)","app_id":"\#(app)","otp_code":"\#(code)"\#(members)}"#)
  }

  /// A device that has registered itself; its id.
  @discardableResult
  func registered(_ number: String = number, token: String = token) throws -> String {
    let errand = try beginRegistration(of: number)
    let answer = try register(errand, number: number, #","push_app_token":"\#(token)""#)
    return try answer.members().string("device_id")
  }

  /// A back end asks for a login by push, or by what else comes first.
  func beginLogin(
    _ method: String = "push", of number: String = number, token: String = token
  ) throws -> Errand {
    try Errand(
      send(
        .post, "/verification",
        json: #"{"recipient":{"phone_number":"\#(number)","push_app_token":"\#(token)"}"#
          + Self.policy(method) + "}"))
  }

  /// An app says what its user has decided.
  func decide(_ errand: Errand, _ decision: String, on device: String) throws -> Exchange {
    try handset(
      .post, "verifications/\(errand.reference)/decision", errand.token,
      #"{"decision":"\#(decision)","device_id":"\#(device)"}"#)
  }

  /// A request of the handset's.
  func handset(
    _ method: HTTP.Method, _ path: String, _ token: String?, _ json: String = ""
  ) throws -> Exchange {
    let credentials: Headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    return try send(method, "/handset/telesign/v1/\(path)", json: json, as: credentials)
  }

  /// The question about a verification.
  func question(_ errand: Errand) throws -> Challenge? {
    try sandbox.challenges.latest(about: errand.reference, provider: "telesign")
  }

  private static let login = policy("push")

  private static func policy(_ method: String) -> String {
    #","verification_policy":[{"method":"\#(method)","fallback_time":60},{"method":"sms"}]"#
  }
}
