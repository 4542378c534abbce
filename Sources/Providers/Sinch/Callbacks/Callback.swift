import ProviderKit

// Callbacks of an application, signed like its requests. Source: contract 7.

enum CallbackKind: String, CaseIterable {
  /// Asks the receiver whether to verify, and how.
  case request = "VerificationRequestEvent"
  case result = "VerificationResultEvent"
  case smsDelivered = "VerificationSmsDeliveredEvent"
}

enum Callback {
  /// Does nothing for an application without a URL.
  static func enqueue(
    _ kind: CallbackKind, about stored: StoredVerification, at time: Timestamp? = nil, in sandbox: Sandbox
  ) throws {
    let settings = try Settings.current(in: sandbox)
    guard let application = try Application.find(stored.verification.claim.owner, in: sandbox),
      let url = application.callbackURL(settings)
    else { return }
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: SinchProvider.name, url: url, kind: kind.rawValue,
        subject: stored.verification.ordinal), dueAt: time)
  }

  /// Reports the delivery of a text at its last receipt.
  static func scheduleDelivered(
    _ message: Message, of stored: StoredVerification, in sandbox: Sandbox
  ) throws {
    guard stored.details.method == .sms, let receipt = message.receipts.last,
      Delivery.table.status(of: receipt) != nil
    else { return }
    try enqueue(.smsDelivered, about: stored, at: message.submittedAt + receipt.after, in: sandbox)
  }

  /// The body; nil if there is nothing to tell.
  static func body(
    _ kind: CallbackKind, about stored: StoredVerification, in sandbox: Sandbox
  ) throws -> [UInt8]? {
    let details = stored.details
    let delivery = try kind == .smsDelivered ? delivery(of: stored, in: sandbox) : nil
    if kind == .smsDelivered, delivery == nil { return nil }
    return JSONWriter.object { json in
      json.member("id", stored.id(in: sandbox))
      json.member("event", kind.rawValue)
      json.member("method", details.method.rawValue)
      stored.writeIdentity(to: &json)
      switch kind {
      case .request:
        details.method.writePrice("price", to: &json)
        if let tags = details.acceptLanguage { json.member("acceptLanguage", tags) }
      case .result:
        json.member("status", stored.status.rawValue)
        if let reason = details.reason { json.member("reason", reason.rawValue) }
        if stored.status == .successful, let source = details.source { json.member("source", source) }
      case .smsDelivered: json.member("smsResult", delivery?.word)
      }
      if let reference = details.reference { json.member("reference", reference) }
      if let custom = details.custom { json.member("custom", custom) }
    }
  }

  private static func delivery(of stored: StoredVerification, in sandbox: Sandbox) throws -> Delivery? {
    try stored.message(in: sandbox)?.receipts.last.flatMap(Delivery.table.status)
  }

  /// Signed by an application, over the path of the URL and the content type.
  static func sign(
    _ body: [UInt8], to url: String, by application: Application, at time: Timestamp,
    contentType: String? = nil
  ) -> WebhookRequest {
    let contentType = contentType ?? "application/json; charset=utf-8"
    let text = time.iso8601Milliseconds
    let signed = SignedText("POST", [path(of: url)], contentType: contentType, body: body, at: text)
    let signature = signed.signature(by: application.secret)
    return WebhookRequest(
      fields: [
        .init("Content-Type", contentType), .init("x-timestamp", text),
        .init("Authorization", "Application \(application.key):\(signature)"),
      ], body: body)
  }

  /// Path and query.
  private static func path(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let rest = url[scheme.upperBound...].drop { !"/?#".contains($0) }.prefix { $0 != "#" }
    return rest.hasPrefix("/") ? String(rest) : "/\(rest)"
  }
}
