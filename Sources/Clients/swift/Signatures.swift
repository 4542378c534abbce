import Foundation

/// How each provider signs webhooks, as Docs/Webhooks.md describes it.
enum Signer: String, CaseIterable {
  case twilio, telesign, prelude, sinch, vonage

  private var header: String {
    switch self {
    case .twilio: "x-twilio-signature"
    case .telesign: "x-ts-authorization"
    case .prelude: "x-webhook-signature"
    case .sinch, .vonage: "authorization"
    }
  }

  /// The provider by the header of its signature; nil without one.
  static func of(_ request: ReceivedRequest) -> Signer? {
    allCases.first { signer in request.headers[signer.header].map(signer.signs) ?? false }
  }

  /// If the text of the header is a signature. Bearer tokens of other providers sign nothing.
  private func signs(_ text: String) -> Bool {
    switch self {
    case .twilio, .telesign, .prelude: true
    case .sinch: text.hasPrefix("Application ")
    case .vonage: payloadHash(of: text) != nil
    }
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
    case .sinch:
      let key = Data(base64Encoded: own["applicationSecret"] ?? "") ?? Data()
      let made = hmac(.sha256, key: key, Data(sinchText(request).utf8)).base64EncodedString()
      return signature == "Application \(own["applicationKey"] ?? ""):\(made)"
    case .vonage:
      let parts = signature.dropFirst("Bearer ".count).split(separator: ".", omittingEmptySubsequences: false)
      let key = Data((own["signatureSecret"] ?? "").utf8)
      let made = hmac(.sha256, key: key, Data(parts.dropLast().joined(separator: ".").utf8))
      return Data(base64URL: parts.last ?? "") == made
        && payloadHash(of: signature) == hex(Digest.sha256.of(request.body))
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
    return hash == hex(Digest.sha256.of(request.body)) ? request.url : nil
  }

  /// Method, hash of the body, type, time and path.
  private func sinchText(_ request: ReceivedRequest) -> String {
    let path = request.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).last ?? ""
    return [
      "POST", Digest.md5.of(request.body).base64EncodedString(), request.headers["content-type"] ?? "",
      "x-timestamp:\(request.headers["x-timestamp"] ?? "")", "/\(path)",
    ].joined(separator: "\n")
  }

  /// The hash of the body in the claims of a bearer token (RFC 7519), not verified; nil of other texts.
  private func payloadHash(of text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.hasPrefix("Bearer "), parts.count == 3, let claims = Data(base64URL: parts[1]) else {
      return nil
    }
    return try? JSONDecoder().decode(JSON.self, from: claims)["payload_hash"].string
  }
}

private func hex(_ bytes: Data) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

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
