import Crypto
import ProviderKit

/// The webhook about a code that was sent, signed with the sandbox's key.
enum Callback {
  static let kind = "code.sent"

  static func enqueue(about verification: Verification, to url: String, in sandbox: Sandbox) throws {
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: DemoProvider.name, url: url, kind: kind, subject: verification.ordinal,
        detail: verification.claim.destination))
  }

  /// Nil if the verification was deleted.
  static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    guard webhook.draft.kind == kind else { throw APIError(500, .internalError) }
    guard try sandbox.verifications.find(webhook.draft.subject) != nil else { return nil }
    let body = JSONWriter.object { json in
      json.member("id", webhook.id)
      json.member("number", webhook.draft.detail)
      json.member("sent_at", webhook.createdAt.iso8601Milliseconds)
    }
    return try sign(body, in: sandbox)
  }

  static let signatureField = "X-Demo-Signature"

  static func sign(_ body: [UInt8], in sandbox: Sandbox) throws -> WebhookRequest {
    let signature = try sandbox.keys[.webhooks]?.pssSignature(of: body, in: sandbox)
    return .json(body, .init(signatureField, signature.map { Base64.encode($0) } ?? ""))
  }
}
