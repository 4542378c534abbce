import Foundation

/// How each provider signs webhooks, as Docs/Webhooks.md describes it.
enum Signer: String, CaseIterable {
  case twilio, telesign, prelude

  /// The header of the signature.
  private var header: String {
    switch self {
    case .twilio: "x-twilio-signature"
    case .telesign: "x-ts-authorization"
    case .prelude: "x-webhook-signature"
    }
  }

  /// The provider by the header of its signature; nil without one.
  static func of(_ request: ReceivedRequest) -> Signer? {
    allCases.first { request.headers[$0.header] != nil }
  }

  /// If the signature is that of the exact bytes, by the key of the sandbox.
  func hasSigned(
    _ request: ReceivedRequest, credentials: [String: [String: String]], publicKey: String
  ) -> Bool {
    let (signature, own) = (request.headers[header] ?? "", credentials[rawValue] ?? [:])
    switch self {
    case .twilio:
      let made = twilioText(request).map {
        hmac(.sha1, key: Data((own["authToken"] ?? "").utf8), Data($0.utf8))
      }
      return made?.base64EncodedString() == signature
    case .telesign:
      let key = Data(base64Encoded: own["apiKey"] ?? "") ?? Data()
      let made = hmac(.sha256, key: key, request.body).base64EncodedString()
      return made == signature && request.headers["authorization"] == "TSA \(own["customerId"] ?? ""):\(made)"
    case .prelude:
      let scheme = "rsassa-pss-sha256="
      guard signature.hasPrefix(scheme), let bytes = Data(base64URL: signature.dropFirst(scheme.count)) else {
        return false
      }
      return RSAPublicKey(pem: publicKey)?.hasSigned(request.body, signature: bytes) == true
    }
  }

  /// The URL and the form's sorted members; another body is covered by its hash in the URL. Nil if that is
  /// wrong.
  private func twilioText(_ request: ReceivedRequest) -> String? {
    if request.isForm {
      let members = Set(request.form.map { [$0.name, $0.value] }).sorted { $0.lexicographicallyPrecedes($1) }
      return request.url + members.map { $0.joined() }.joined()
    }
    let query = request.url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let hash = pairs(of: String(query)).first { $0.name == "bodySHA256" }?.value
    return hash == Digest.sha256.of(request.body).map({ String(format: "%02x", $0) }).joined()
      ? request.url : nil
  }
}

extension Data {
  init?(base64URL text: some StringProtocol) {
    let plain = String(text).replacing("-", with: "+").replacing("_", with: "/").prefix { $0 != "=" }
    self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
  }
}

/// Source: RFC 2104.
func hmac(_ digest: Digest, key: Data, _ text: Data) -> Data {
  let short = key.count > 64 ? digest.of(key) : key
  let padded = short + Data(count: 64 - short.count)
  return digest.of(Data(padded.map { $0 ^ 0x5C }) + digest.of(Data(padded.map { $0 ^ 0x36 }) + text))
}
