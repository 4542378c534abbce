import Foundation
import RingfenceTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let number = "+12025550100"
let other = "+12025550101"
let noon = "2026-01-05T12:00:00Z"

private let session = URLSession(configuration: .ephemeral, delegate: NoPassword(), delegateQueue: nil)

/// Without it, requests with a wrong password never end on Linux, up to Swift 6.3: swift-corelibs-foundation
/// issue 5456. With it, they throw.
private final class NoPassword: NSObject, URLSessionTaskDelegate, Sendable {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.rejectProtectionSpace, nil)
  }
}

/// Requests as the providers' documentation has them: there are no SDKs for Swift.
extension Sandbox {
  struct Answered {
    let status: Int
    let body: JSON
  }

  /// Twilio Verify: a request below the service of the sandbox, or with a wrong token.
  @discardableResult
  func verify(_ path: String, _ form: [String: String], token: String? = nil) async throws -> Answered {
    let own = credentials["twilio"] ?? [:]
    return try await send(
      "/v2/Services/\(own["serviceSid"] ?? "")/\(path)",
      basic(own["accountSid"] ?? "", token ?? own["authToken"] ?? ""), form: form)
  }

  @discardableResult
  func sendCode(_ to: String = number, channel: String = "sms") async throws -> Answered {
    try await verify("Verifications", ["To": to, "Channel": channel])
  }

  func checkCode(_ to: String, _ code: String) async throws -> String? {
    try await verify("VerificationCheck", ["To": to, "Code": code]).body["status"].string
  }

  func sendText(_ to: String = number, callback: String) async throws {
    let own = credentials["twilio"] ?? [:]
    try await send(
      "/2010-04-01/Accounts/\(own["accountSid"] ?? "")/Messages.json",
      basic(own["accountSid"] ?? "", own["authToken"] ?? ""),
      form: ["To": to, "From": "+12025550199", "Body": "Hello & good-bye", "StatusCallback": callback])
  }

  @discardableResult
  func sendPrelude(_ to: String = number, callback: String? = nil) async throws -> Answered {
    var body: [String: JSON] = ["target": ["type": "phone_number", "value": .string(to)]]
    if let callback { body["options"] = ["callback_url": .string(callback)] }
    let token = credentials["prelude"]?["apiToken"] ?? ""
    return try await send(
      "/v2/verification", "Bearer \(token)", body: try JSONEncoder().encode(body), type: "application/json")
  }

  func sendTelesign(_ to: String = number) async throws {
    let own = credentials["telesign"] ?? [:]
    try await send(
      "/v1/verify/sms", basic(own["customerId"] ?? "", own["apiKey"] ?? ""),
      form: ["phone_number": String(to.dropFirst())])
  }

  /// Asks the phone of a person who has registered for Twilio's pushes.
  func askForApproval(_ identity: String) async throws {
    let factors = try await verify("Entities/\(identity)/Factors", [:], method: "GET").body["factors"]
    try await verify(
      "Entities/\(identity)/Challenges",
      ["FactorSid": factors[0]["sid"].string ?? "", "Details.Message": "Sign in?"])
  }

  private func verify(_ path: String, _ form: [String: String], method: String) async throws -> Answered {
    let own = credentials["twilio"] ?? [:]
    return try await send(
      "/v2/Services/\(own["serviceSid"] ?? "")/\(path)",
      basic(own["accountSid"] ?? "", own["authToken"] ?? ""), method: method)
  }

  private func basic(_ user: String, _ password: String) -> String {
    "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
  }

  @discardableResult
  private func send(_ path: String, _ authorization: String, form: [String: String]) async throws -> Answered
  {
    let pairs = form.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }
    return try await send(
      path, authorization, body: Data(pairs.joined(separator: "&").utf8),
      type: "application/x-www-form-urlencoded")
  }

  private func send(
    _ path: String, _ authorization: String, method: String = "POST", body: Data? = nil, type: String = ""
  ) async throws -> Answered {
    guard let there = URL(string: url + path) else { return Answered(status: 0, body: .null) }
    var request = URLRequest(url: there)
    (request.httpMethod, request.httpBody) = (method, body)
    request.setValue(authorization, forHTTPHeaderField: "Authorization")
    if body != nil { request.setValue(type, forHTTPHeaderField: "Content-Type") }
    let (content, answer) = try await session.data(for: request)
    let decoded = try? JSONDecoder().decode(JSON.self, from: content)
    return Answered(status: (answer as? HTTPURLResponse)?.statusCode ?? 0, body: decoded ?? .null)
  }
}
