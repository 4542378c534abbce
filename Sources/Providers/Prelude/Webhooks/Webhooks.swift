import Crypto
package import ProviderKit

// The requests of webhooks. Source: contract 12.

extension PreludeProvider {
  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    guard let event = VerifyEvent(rawValue: webhook.draft.kind) else {
      let event = try NotifyEvent(webhook)
      return try signedRequest(webhook, at: event.time, payload: event.payload, in: sandbox)
    }
    guard let verification = try sandbox.verifications.find(webhook.draft.subject) else { return nil }
    let payload = VerifyEventPayload(
      event: event, details: try VerifyEventDetails(webhook.draft.detail), verification: verification,
      stored: try StoredVerification(of: verification),
      subscriber: try PhoneNumber(verification.claim.destination).map { try sandbox.subscribers[$0] },
      sandbox: sandbox)
    let bytes = JSONWriter.object { payload.write(to: &$0) }
    return try signedRequest(webhook, at: payload.details.at, payload: bytes, in: sandbox)
  }

  package static let webhookKinds = VerifyEvent.allCases.map(\.rawValue) + NotifyEvent.kinds
  package static let timestampedKinds = webhookKinds
  private static let signatureField = "X-Webhook-Signature"
  package static let signatureFields = [signatureField]
  package static let signsWithKey = true

  package static func number(of webhook: Webhook, in sandbox: Sandbox) throws -> String? {
    VerifyEvent(rawValue: webhook.draft.kind) == nil
      ? try NotifyEvent(webhook).number : try subject(of: webhook, in: sandbox)
  }

  package static func request(
    sending body: JSON, of kind: String, to url: String, in sandbox: Sandbox
  ) throws -> (url: String, request: WebhookRequest) {
    (url, try signedRequest(body.encoded(), in: sandbox))
  }

  /// The envelope of all events, with a signature if webhooks are signed. Source: contract 12.2 and 12.4.
  private static func signedRequest(
    _ webhook: Webhook, at time: Timestamp, payload: [UInt8], in sandbox: Sandbox
  ) throws -> WebhookRequest {
    let body = JSONWriter.object { json in
      json.member("id", Identifier.text(.event, webhook.ordinal, at: webhook.createdAt, in: sandbox))
      json.member("type", webhook.draft.kind)
      json.member("payload", encoded: payload)
      json.member("created_at", (time - webhook.timestampAge).iso8601Nanoseconds)
    }
    return try signedRequest(body, in: sandbox)
  }

  private static func signedRequest(_ body: [UInt8], in sandbox: Sandbox) throws -> WebhookRequest {
    guard let signature = try signature(of: body, in: sandbox) else { return .json(body) }
    return .json(
      body, WebhookRequest.Field(signatureField, "rsassa-pss-sha256=\(signature)"))
  }

  /// RSASSA-PSS with SHA-256 over the body; nil if webhooks are not signed. Source: contract 12.4.
  static func signature(of body: [UInt8], in sandbox: Sandbox) throws -> String? {
    let settings = try Settings.current(in: sandbox)
    guard settings.signsWebhooks,
      let bytes = try sandbox.keys[.webhooks]?.pssSignature(of: body, in: sandbox)
    else { return nil }
    let text =
      settings.signatureAlphabet == .base64url
      ? Base64.encodeForURL(bytes, isPadded: true) : Base64.encode(bytes)
    return settings.signaturePadding ? text : String(text.prefix { $0 != "=" })
  }
}

/// Source: contract 12.2.
private struct VerifyEventPayload {
  let event: VerifyEvent
  let details: VerifyEventDetails
  let verification: Verification
  let stored: StoredVerification
  let subscriber: Subscriber?
  let sandbox: Sandbox

  func write(to json: inout JSONWriter) {
    let attemptID = Identifier.text(.attempt, verification.ordinal, part: details.attempt, in: sandbox)
    switch event {
    case .authentication: break
    case .attempt: json.member("id", attemptID)
    case .deliveryStatus:
      json.member("id", Identifier.text(.deliveryStatus, verification.ordinal, part: statusPart, in: sandbox))
      json.member("attempt_id", attemptID)
    }
    json.member("verification_id", Identifier.text(of: verification, in: sandbox))
    writeStatus(to: &json)
    writeTarget(to: &json)
    json.object("price") {
      $0.member("amount", 0.03)
      $0.member("currency", "EUR")
    }
    stored.writeMetadata(to: &json)
    json.member("time", details.at.iso8601Nanoseconds)
  }

  private func writeStatus(to json: inout JSONWriter) {
    switch event {
    case .authentication: break
    case .attempt:
      json.member("delivery_status", DeliveryStatus.submitted.rawValue)
      let sent = verification.attempts.all.first { $0.number == details.attempt }
      json.member("channel", (sent?.channel ?? verification.channel).preludeName)
    case .deliveryStatus: json.member("status", details.status?.rawValue)
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

  /// Different for each status of each attempt.
  private var statusPart: Int {
    let statuses = DeliveryStatus.allCases
    return details.attempt * statuses.count + (details.status.flatMap { statuses.firstIndex(of: $0) } ?? 0)
  }
}

extension Timestamp {
  /// Nine digits of fraction, as in the provider's webhooks. Source: contract, additions.
  var iso8601Nanoseconds: String { Substring(iso8601Milliseconds.utf8.dropLast()) + "000000Z" }
}
