import Crypto
import ProviderKit

/// Webhooks with the header `X-Twilio-Signature`. Source: contract 14.2.
enum WebhookSignature {
  static let fieldName = "X-Twilio-Signature"

  /// A form, signed with the account's auth token. Names must be unique: validators treat repeated ones
  /// differently.
  static func form(
    _ parameters: [(name: String, value: String)], to url: String, of account: String, in sandbox: Sandbox
  ) throws -> WebhookRequest {
    let sorted = parameters.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    let message = withoutFragment(url) + sorted.map { $0.name + $0.value }.joined()
    let body = parameters.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
      .joined(separator: "&")
    return WebhookRequest(
      fields: [
        WebhookRequest.Field("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"),
        field(signing: message, key: try authToken(of: account, in: sandbox)),
      ], body: Array(body.utf8))
  }

  /// A GET request, whose parameters are in the URL.
  static func get(_ url: String, of account: String, in sandbox: Sandbox) throws -> WebhookRequest {
    let signature = field(signing: withoutFragment(url), key: try authToken(of: account, in: sandbox))
    return WebhookRequest(.get, fields: [signature], body: [])
  }

  /// A JSON body, signed with the account's auth token. `url` must come from `url(_:hashing:)` with the same
  /// body.
  static func json(
    _ body: [UInt8], to url: String, of account: String, in sandbox: Sandbox
  ) throws -> WebhookRequest {
    .json(body, field(signing: withoutFragment(url), key: try authToken(of: account, in: sandbox)))
  }

  /// The URL to which a body without parameters is sent: only its query covers the body.
  static func url(_ url: String, hashing body: [UInt8]) -> String {
    let url = withoutFragment(url)
    let mark = url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return "\(url)\(mark)bodySHA256=\(Hex.encode(SHA256.hash(body)))"
  }

  /// The value of the header: base64 of HMAC-SHA1.
  static func signature(of message: String, key: String) -> String {
    Base64.encode(HMAC.authenticate(Array(message.utf8), key: Array(key.utf8), .sha1))
  }

  private static func field(signing message: String, key: String) -> WebhookRequest.Field {
    WebhookRequest.Field(fieldName, signature(of: message, key: key))
  }

  /// The token of the sandbox's own account for an account that it does not know: that one's token was never
  /// checked.
  private static func authToken(of account: String, in sandbox: Sandbox) throws -> String {
    if let known = try sandbox.accounts.find(account, of: TwilioProvider.name) { return known.secret }
    return try sandbox.accounts.find(try Authentication.defaultAccount(of: sandbox), of: TwilioProvider.name)?
      .secret ?? ""
  }

  /// Receivers never see the fragment.
  private static func withoutFragment(_ url: String) -> String {
    url.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(url[..<$0]) } ?? url
  }
}

extension WebhookRequest {
  /// With the fields of every webhook. `identifier` is one of 32 hex digits for each webhook; the receiver
  /// knows a repeated one by it. Source: contract 14.5.
  func sent(as identifier: String) -> WebhookRequest {
    adding([
      Field("I-Twilio-Idempotency-Token", UUIDText.version4(identifier)),
      Field("User-Agent", "TwilioProxy/1.1"),
    ])
  }
}
