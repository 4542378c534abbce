import Crypto
import ProviderKit

/// Signatures of requests and webhooks. Source: `senders.md` 5.
enum SMSSignature {
  enum Method: String, CaseIterable {
    /// A plain hash of text and secret; the others are keyed hashes.
    case md5hash
    case md5, sha1, sha256, sha512
  }

  typealias Parameter = (name: String, value: String)

  /// Hex digits in lower case.
  static func sign(_ parameters: [Parameter], by method: Method, secret: String) -> String {
    let sorted = parameters.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    let text = Array(sorted.map { "&\($0.name)=\(cleaned($0.value))" }.joined().utf8)
    let key = Array(secret.utf8)
    let digest =
      switch method {
      case .md5hash: MD5.hash(text + key)
      case .md5: HMAC.authenticate(text, key: key, .md5)
      case .sha1: HMAC.authenticate(text, key: key, .sha1)
      case .sha256: HMAC.authenticate(text, key: key, .sha256)
      case .sha512: HMAC.authenticate(text, key: key, .sha512)
      }
    return Hex.encode(digest)
  }

  private static func cleaned(_ value: String) -> String {
    String(value.map { $0 == "&" || $0 == "=" ? "_" : $0 })
  }

  /// Why a signature is wrong; nil if it is right. `parameters` are without it.
  static func mistake(
    in signature: String, of parameters: [Parameter], by method: Method, _ account: AccountSecrets
  ) -> String? {
    let signature = signature.lowercased()
    func isRight(_ parameters: [Parameter], _ method: Method, _ secret: String) -> Bool {
      constantTimeEqual(sign(parameters, by: method, secret: secret), signature)
    }
    if isRight(parameters, method, account.signature) { return nil }
    let sent = Set(parameters.map(\.name))
    let unset = pythonNames.filter { !sent.contains($0) }.map { (name: $0, value: "None") }
    let encoded = parameters.map { (name: $0.name, value: PercentCoding.encode($0.value)) }
    let mistakes: [(why: String, parameters: [Parameter], secret: String)] = [
      ("", parameters, account.signature),
      (
        "unset parameters are signed as None, but not sent, as version 4 of the Python SDK does",
        parameters + unset, account.signature
      ),
      ("values are signed URL-encoded", encoded, account.signature),
      ("it is made with the API secret instead of the signature secret", parameters, account.api),
    ]
    for other in Method.allCases {
      for mistake in mistakes where isRight(mistake.parameters, other, mistake.secret) {
        let methods = "signed by \(other.rawValue), and the setting signatureMethod is \(method.rawValue)"
        return [mistake.why, other == method ? "" : methods].filter { !$0.isEmpty }.joined(separator: "; ")
      }
    }
    return "not the signature of these parameters with the account's signature secret"
  }

  /// What version 4 of the Python SDK signs in any case.
  private static let pythonNames = [
    "to", "from", "text", "sig", "client-ref", "type", "ttl", "status-report-req", "callback",
    "message-class", "body", "udh", "protocol-id", "account-ref", "entity-id", "content-id", "trusted-number",
  ]
}
