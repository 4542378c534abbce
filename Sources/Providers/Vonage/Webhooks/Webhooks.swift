import Crypto
package import ProviderKit

// The requests of webhooks. Source: contract 7.

extension VonageProvider {
  package static let webhookKinds = StatusKind.allCases.map(\.rawValue)
  package static let timestampedKinds = [
    StatusKind.event, .summary, .messageStatus, .inboundMessage,
  ].map(\.rawValue)
  package static let signatureFields = ["Authorization"]
  package static let signatureMember: String? = "sig"

  /// The body is stored.
  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    let body = Array(webhook.draft.detail.utf8)
    switch StatusKind(rawValue: webhook.draft.kind) {
    case .numberInsight?: return .json(body)
    case .smsReceipt?, .inboundSMS?: return try SMSWebhook(webhook.draft).request
    case .messageStatus?, .inboundMessage?:
      let message = try MessageWebhook(webhook.draft)
      return try signed(
        Array(message.body.utf8), of: message.application, at: sentAt(webhook), "\(webhook.ordinal)",
        in: sandbox)
    case .event?, .summary?, nil: break
    }
    let verification = try sandbox.verifications.find(webhook.draft.subject)
    let application = try verification.flatMap { try StoredRequest(of: $0) }?.application
    return try signed(
      body, of: application, at: sentAt(webhook), "\(webhook.ordinal)", in: sandbox)
  }

  package static func request(
    sending body: JSON, of kind: String, to url: String, in sandbox: Sandbox
  ) throws -> (url: String, request: WebhookRequest) {
    let bytes = body.encoded()
    switch StatusKind(rawValue: kind) {
    case .numberInsight?: return (url, .json(bytes))
    case .smsReceipt?, .inboundSMS?:
      let members = try LegacyFields(json: Fields(body)).pairs
      let webhook = try SMSWebhook(members, to: url, at: sandbox.clock.now, in: sandbox)
      return (webhook.url, webhook.request)
    case .event?, .summary?, .messageStatus?, .inboundMessage?, nil: break
    }
    let application = try Application.all(in: sandbox).first?.id
    return (
      url,
      try signed(bytes, of: application, at: sandbox.clock.now, Hex.encode(SHA256.hash(bytes)), in: sandbox)
    )
  }

  /// A Number Insight is about the number in its body, a text of a person about the person's.
  package static func number(of webhook: Webhook, in sandbox: Sandbox) throws -> String? {
    switch StatusKind(rawValue: webhook.draft.kind) {
    case .numberInsight?: break
    case .inboundSMS?, .inboundMessage?: return try sandbox.messages.find(webhook.draft.subject)?.sender
    case .event?, .summary?, .smsReceipt?, .messageStatus?, nil: return try subject(of: webhook, in: sandbox)
    }
    let digits = try Fields(Array(webhook.draft.detail.utf8)).optionalString("international_format_number")
    return digits.map { "+\($0)" }
  }
}

/// The time in its token: when it was due.
private func sentAt(_ webhook: Webhook) -> Timestamp {
  (webhook.nextAt ?? webhook.createdAt) - webhook.timestampAge
}

/// The body with a token in the header, signed with the account's signature secret.
private func signed(
  _ body: [UInt8], of application: String?, at time: Timestamp, _ label: String, in sandbox: Sandbox
) throws -> WebhookRequest {
  guard let account = try AccountSecrets.current(in: sandbox) else { return .json(body) }
  let claims = JSONWriter.object { json in
    json.member("iat", time.unixSeconds)
    json.member("jti", UUIDText.version4(sandbox.entropy.secret("webhook \(label)", length: 32, of: .hex)))
    json.member("iss", "Vonage")
    json.member("payload_hash", Hex.encode(SHA256.hash(body)))
    json.member("api_key", account.key)
    if let application { json.member("application_id", application) }
  }
  let token = JSONWebToken.sign(claims, key: account.signature)
  return .json(body, WebhookRequest.Field("Authorization", "Bearer \(token)"))
}
