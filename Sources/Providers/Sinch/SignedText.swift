import Crypto
package import Domain
package import HTTP
package import ProviderKit

/// The text that a request or a callback is signed over: five lines. Source: contract 1.
struct SignedText {
  private let method: String
  private let body: [UInt8]
  private let contentType: String
  private let time: String
  /// As on the request line, before anything was decoded or removed.
  private let path: String

  init(_ method: String, _ path: String, contentType: String, body: [UInt8], at time: String) {
    (self.method, self.path, self.contentType, self.body, self.time) = (
      method, path, contentType, body, time
    )
  }

  init(_ request: Request, at time: String) {
    self.init(
      request.method.rawValue, request.prefix + request.target.text,
      contentType: request.headers["Content-Type"] ?? "", body: request.body, at: time)
  }

  var text: String {
    let digest = body.isEmpty ? "" : Base64.encode(MD5.hash(body))
    return [method, digest, contentType, "x-timestamp:\(time)", path].joined(separator: "\n")
  }

  /// `secret` is in Base64.
  func signature(by secret: String) -> String {
    Base64.encode(HMAC.authenticate(Array(text.utf8), key: Base64.decodeForgiving(secret)))
  }

  func hasSignature(_ signature: String, by secret: String) -> Bool {
    constantTimeEqual(signature, self.signature(by: secret))
  }

  /// Why a signature is wrong, if a known mistake explains it.
  func explanation(of signature: String, by secret: String) -> String {
    let undecoded = Base64.encode(HMAC.authenticate(Array(text.utf8), key: Array(secret.utf8)))
    if constantTimeEqual(signature, undecoded) {
      return "signed with the secret as it is spelled; decode its Base64 first"
    }
    let variants = [
      ("with a line feed at the end", text + "\n"),
      (
        "without the Content-Type",
        SignedText(method, path, contentType: "", body: body, at: time).text
      ),
      (
        "without the body",
        SignedText(method, path, contentType: contentType, body: [], at: time).text
      ),
      (
        "without the query",
        SignedText(
          method, String(path.prefix { $0 != "?" }), contentType: contentType, body: body, at: time
        ).text
      ),
    ]
    let key = Base64.decodeForgiving(secret)
    let mistake = variants.first {
      constantTimeEqual(signature, Base64.encode(HMAC.authenticate(Array($0.1.utf8), key: key)))
    }
    return mistake.map { "signed \($0.0)" }
      ?? "signature mismatch, and no known signing mistake explains it; expected a signature of \(lines)"
  }

  private var lines: String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "⏎")
  }
}

/// Requests that are sent again. Source: contract 1.
extension SinchProvider: SignsRequests {
  package static let signedFields: Set = ["x-timestamp"]

  package static func renewSignature(
    of request: inout Request, like earlier: Request, in sandbox: Sandbox
  ) throws {
    guard case .application(let key, let signature?)? = AuthorizationHeader(earlier.headers),
      request.headers["Authorization"] == earlier.headers["Authorization"],
      let time = earlier.headers["x-timestamp"],
      let application = try sandbox.accounts.find(key, of: name),
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
    let secret = try sandbox.accounts.find(key, of: name)?.secret
    return BasicAuthentication(name: key, password: secret ?? "")
  }
}
