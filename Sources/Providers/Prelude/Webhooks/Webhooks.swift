import Crypto
package import Domain
import JSON
import ProviderKit

// The bodies of webhooks. Source: contract 12.

extension PreludeProvider {
  /// Words a webhook: the envelope, what it tells, and the signature.
  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    guard let event = VerifyEvent(rawValue: webhook.draft.kind) else {
      let event = try NotifyEvent(webhook)
      return try signed(envelope(webhook, at: event.time, event.payload, in: sandbox), in: sandbox)
    }
    guard let verification = try sandbox.verifications.find(webhook.draft.subject) else { return nil }
    let details = try VerifyEventDetails(webhook.draft.detail)
    let payload = VerifyEventPayload(
      event: event, details: details, verification: verification,
      window: try Window(verification.details),
      subscriber: try PhoneNumber(verification.claim.destination).map { try sandbox.subscribers[$0] },
      sandbox: sandbox)
    let bytes = JSONWriter.object { payload.write(to: &$0) }
    return try signed(envelope(webhook, at: payload.details.at, bytes, in: sandbox), in: sandbox)
  }
}

/// What all events come in. Source: contract 12.2.
func envelope(
  _ webhook: Webhook, at time: Timestamp, _ payload: [UInt8], in sandbox: Sandbox
) -> [UInt8] {
  JSONWriter.object { json in
    json.member("id", identifier(.event, webhook.ordinal, at: webhook.createdAt, in: sandbox))
    json.member("type", webhook.draft.kind)
    json.member("payload", encoded: payload)
    json.member("created_at", time.iso8601Milliseconds)
  }
}

/// A webhook of this body, signed where webhooks are. Source: contract 12.4.
private func signed(_ body: [UInt8], in sandbox: Sandbox) throws -> WebhookRequest {
  guard let signature = try signature(of: body, in: sandbox) else { return .json(body) }
  return .json(body, WebhookRequest.Field("X-Webhook-Signature", "rsassa-pss-sha256=\(signature)"))
}

/// RSASSA-PSS with SHA-256 over the body's bytes; nil where nothing is signed. Source: contract 12.4.
func signature(of body: [UInt8], in sandbox: Sandbox) throws -> String? {
  let settings = try Settings.current(in: sandbox)
  guard settings.signsWebhooks, let bytes = try sandbox.keys[.webhooks]?.pssSignature(of: body) else {
    return nil
  }
  let text = settings.signatureAlphabet == "base64url" ? Base64.encodeForURL(bytes) : Base64.encode(bytes)
  return settings.signaturePadding ? text : String(text.prefix { $0 != "=" })
}

/// What one webhook tells. Source: contract 12.2.
private struct VerifyEventPayload {
  let event: VerifyEvent
  let details: VerifyEventDetails
  let verification: Verification
  let window: Window
  let subscriber: Subscriber?
  let sandbox: Sandbox

  /// The members, the ids first.
  func write(to json: inout JSONWriter) {
    let attempt = identifier(.attempt, verification.ordinal, part: details.attempt, in: sandbox)
    switch event {
    case .authentication: break
    case .attempt: json.member("id", attempt)
    case .deliveryStatus:
      json.member("id", identifier(.deliveryStatus, verification.ordinal, part: part, in: sandbox))
      json.member("attempt_id", attempt)
    }
    json.member("verification_id", identifier(of: verification, in: sandbox))
    writeState(to: &json)
    writeTarget(to: &json)
    json.object("price") {
      $0.member("amount", 0.03)
      $0.member("currency", "EUR")
    }
    window.writeMetadata(to: &json)
    json.member("time", details.at.iso8601Milliseconds)
  }

  private func writeState(to json: inout JSONWriter) {
    switch event {
    case .authentication: break
    case .attempt:
      json.member("delivery_status", "submitted")
      let sent = verification.attempts.all.first { $0.number == details.attempt }
      json.member("channel", (sent?.channel ?? verification.channel).preludeWord)
    case .deliveryStatus: json.member("status", details.status)
    }
  }

  private func writeTarget(to json: inout JSONWriter) {
    let target = Target(verification)
    json.object("target") {
      $0.member("type", target.kind.rawValue)
      $0.member("value", target.destination)
    }
    guard event != .authentication, let subscriber else { return }
    json.object("carrier_information") {
      $0.member("mcc", subscriber.mcc)
      $0.member("mnc", subscriber.mnc)
    }
  }

  /// A number for each state of each attempt.
  private var part: Int {
    let states = ["submitted", "in_transit", "delivered", "undeliverable", "unknown"]
    return details.attempt * states.count + (states.firstIndex(of: details.status ?? "") ?? 0)
  }
}
