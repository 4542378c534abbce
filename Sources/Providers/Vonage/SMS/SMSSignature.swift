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
    digest(of: text(of: parameters), by: method, secret)
  }

  private static func text(of parameters: [Parameter]) -> [UInt8] {
    let sorted = parameters.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return sorted.flatMap { "&\($0.name)=".utf8 + $0.value.utf8.map(Self.cleaned) }
  }

  private static func cleaned(_ byte: UInt8) -> UInt8 {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "=") ? UInt8(ascii: "_") : byte
  }

  private static func digest(of text: [UInt8], by method: Method, _ secret: String) -> String {
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

  /// Why a signature is wrong; nil if it is right. `parameters` are without it.
  static func mistake(
    in signature: String, of parameters: [Parameter], by method: Method, _ account: AccountSecrets
  ) -> String? {
    let signature = signature.lowercased()
    func isRight(_ text: [UInt8], _ method: Method, _ secret: String) -> Bool {
      constantTimeEqual(digest(of: text, by: method, secret), signature)
    }
    let text = text(of: parameters)
    if isRight(text, method, account.signature) { return nil }
    for mistake in text.count > longestText ? [] : mistakes(in: parameters, account) {
      guard let used = Method.allCases.first(where: { isRight(mistake.text, $0, mistake.secret) }) else {
        continue
      }
      let methods = "signed by \(used.rawValue), and the setting signatureMethod is \(method.rawValue)"
      return [mistake.why, used == method ? "" : methods].filter { !$0.isEmpty }.joined(separator: "; ")
    }
    return "not the signature of these parameters with the account's signature secret"
  }

  /// In longer ones no mistake is looked for: each costs several hashes.
  private static let longestText = 20_000

  private static func mistakes(
    in parameters: [Parameter], _ account: AccountSecrets
  ) -> [(why: String, text: [UInt8], secret: String)] {
    let sent = Set(parameters.map(\.name))
    let unset = pythonNames.filter { !sent.contains($0) }.map { (name: $0, value: "None") }
    let encoded = parameters.map { (name: $0.name, value: PercentCoding.encode($0.value)) }
    return [
      ("", text(of: parameters), account.signature),
      (
        "unset parameters are signed as None, but not sent, as version 4 of the Python SDK does",
        text(of: parameters + unset), account.signature
      ),
      ("values are signed URL-encoded", text(of: encoded), account.signature),
      (
        "it is made with the API secret instead of the signature secret", text(of: parameters), account.api
      ),
    ]
  }

  /// What version 4 of the Python SDK signs in any case.
  private static let pythonNames = [
    "to", "from", "text", "sig", "client-ref", "type", "ttl", "status-report-req", "callback",
    "message-class", "body", "udh", "protocol-id", "account-ref", "entity-id", "content-id", "trusted-number",
  ]
}
