import Crypto
package import ProviderKit

/// The text that a request or a callback is signed over: five lines. Source: contract 1.
struct SignedText {
  private let method: String
  private let body: [UInt8]
  private let contentType: String
  private let time: String
  /// As on the request line, before anything was decoded or removed; then what a client may have signed
  /// instead.
  private let paths: [String]

  init(_ method: String, _ paths: [String], contentType: String, body: [UInt8], at time: String) {
    (self.method, self.paths, self.contentType, self.body, self.time) = (
      method, paths, contentType, body, time
    )
  }

  init(_ request: Request, at time: String) {
    self.init(
      request.method.rawValue,
      request.signedPaths.map { Target(path: $0, query: request.target.query).text },
      contentType: request.headers["Content-Type"] ?? "", body: request.body, at: time)
  }

  /// One for each path.
  private var texts: [String] {
    let digest = body.isEmpty ? "" : Base64.encode(MD5.hash(body))
    return paths.map { [method, digest, contentType, "x-timestamp:\(time)", $0].joined(separator: "\n") }
  }

  /// `secret` is in Base64.
  func signature(by secret: String) -> String {
    Self.signature(of: texts[0], by: Base64.decodeForgiving(secret))
  }

  func hasSignature(_ signature: String, by secret: String) -> Bool {
    Self.isSignature(signature, ofOneOf: texts, by: Base64.decodeForgiving(secret))
  }

  /// Why a signature is wrong, if a known mistake explains it.
  func explanation(of signature: String, by secret: String) -> String {
    if Self.isSignature(signature, ofOneOf: texts, by: Array(secret.utf8)) {
      return "wrong signature, by the secret as it is spelled; decode its Base64 first"
    }
    func with(paths: [String]? = nil, contentType: String? = nil, body: [UInt8]? = nil) -> [String] {
      SignedText(
        method, paths ?? self.paths, contentType: contentType ?? self.contentType, body: body ?? self.body,
        at: time
      ).texts
    }
    let variants = [
      ("with a line feed at the end", texts.map { $0 + "\n" }),
      ("without the Content-Type", with(contentType: "")),
      ("without the body", with(body: [])),
      ("without the query", with(paths: paths.map { String($0.prefix { $0 != "?" }) })),
    ]
    let key = Base64.decodeForgiving(secret)
    let mistake = variants.first { Self.isSignature(signature, ofOneOf: $0.1, by: key) }
    return mistake.map { "wrong signature: signed \($0.0)" }
      ?? "signature mismatch, and no known signing mistake explains it; expected a signature of \(lines)"
  }

  private var lines: String {
    texts[0].split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "⏎")
  }

  private static func isSignature(_ signature: String, ofOneOf texts: [String], by key: [UInt8]) -> Bool {
    texts.contains { constantTimeEqual(signature, Self.signature(of: $0, by: key)) }
  }

  private static func signature(of text: String, by key: [UInt8]) -> String {
    Base64.encode(HMAC.authenticate(Array(text.utf8), key: key))
  }
}

/// Requests that are sent again. Source: contract 1.
extension SinchProvider {
  package static let signedFields: Set = ["x-timestamp"]

  package static func renewSignature(
    of request: inout Request, like earlier: Request, in sandbox: Sandbox
  ) throws {
    guard case .application(let key, let signature?)? = AuthorizationHeader(earlier.headers),
      request.headers["Authorization"] == earlier.headers["Authorization"],
      let time = earlier.headers["x-timestamp"],
      let application = try Application.credential(key, in: sandbox),
      SignedText(earlier, at: time).hasSignature(signature, by: application.secret)
    else { return }
    let now = sandbox.clock.now.iso8601Milliseconds
    request.headers.replace("x-timestamp", with: now)
    let renewed = SignedText(request, at: now).signature(by: application.secret)
    request.headers.replace("Authorization", with: "Application \(key):\(renewed)")
  }

  package static func credentials(
    insteadOfSignature headers: Headers, in sandbox: Sandbox
  ) throws -> BasicAuthentication? {
    guard case .application(let key, _?)? = AuthorizationHeader(headers) else { return nil }
    let secret = try Application.credential(key, in: sandbox)?.secret
    return BasicAuthentication(name: key, password: secret ?? "")
  }
}
