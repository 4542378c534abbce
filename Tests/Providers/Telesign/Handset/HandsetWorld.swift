import Domain
import HTTP
import JSON
import Support
import Testing

/// Requests of an app with the provider's SDK, and of its back end.
extension TelesignWorld {
  static let app = "com.your.app:1.2.0"
  static let token = "fcm-token-1"

  /// A verification with the token of its app.
  struct AppSession {
    let reference: String
    let token: String

    init(_ created: Exchange) throws {
      reference = try created.members().string("reference_id")
      token = try created.members().string("mobile_app_token")
    }
  }

  func startRegistration(of number: String = number) throws -> AppSession {
    try AppSession(create(Self.login + #","push_registration":true"#, to: number))
  }

  /// Registers a device, by default with the code that was sent; `members` are appended.
  func register(
    _ session: AppSession, code: String? = nil, number: String = number, app: String = app,
    _ members: String = ""
  ) throws -> Exchange {
    let code = try code ?? self.code(to: number)
    return try handset(
      .post, "registrations", session.token,
      #"{"phone_number":"\#(number)","app_id":"\#(app)","otp_code":"\#(code)"\#(members)}"#)
  }

  /// Registers a device and returns its id.
  @discardableResult
  func registeredDevice(_ number: String = number, token: String = token) throws -> String {
    let session = try startRegistration(of: number)
    let answer = try register(session, number: number, #","push_app_token":"\#(token)""#)
    return try answer.members().string("device_id")
  }

  /// Starts a login by push or another first method.
  func startLogin(
    _ method: String = "push", of number: String = number, token: String = token
  ) throws -> AppSession {
    try AppSession(
      send(
        .post, "/verification",
        json: #"{"recipient":{"phone_number":"\#(number)","push_app_token":"\#(token)"}"#
          + Self.policy(method) + "}"))
  }

  func decide(_ session: AppSession, _ decision: String, on device: String) throws -> Exchange {
    try handset(
      .post, "verifications/\(session.reference)/decision", session.token,
      #"{"decision":"\#(decision)","device_id":"\#(device)"}"#)
  }

  func handset(
    _ method: HTTP.Method, _ path: String, _ token: String?, _ json: String = ""
  ) throws -> Exchange {
    let credentials: Headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    return try send(method, "/handset/telesign/v1/\(path)", json: json, as: credentials)
  }

  func challenge(_ session: AppSession) throws -> Challenge? {
    try sandbox.challenges.latest(about: session.reference, provider: "telesign")
  }

  private static let login = policy("push")

  private static func policy(_ method: String) -> String {
    #","verification_policy":[{"method":"\#(method)","fallback_time":60},{"method":"sms"}]"#
  }
}
