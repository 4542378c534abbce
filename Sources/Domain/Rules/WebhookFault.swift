import Basics
package import JSON

/// A rule about webhooks that go wrong on their way to the receiver.
package struct WebhookFault: Rule {
  package enum Delivery: String, CaseIterable, Sendable {
    /// Never sent.
    case lost
    /// Sent a second time when it was acknowledged, with the same bytes.
    case duplicate
    /// Sent after the next webhook to the same receiver.
    case reorder
  }

  package enum Signature: String, CaseIterable, Sendable {
    /// One character is another.
    case wrong
    case missing
  }

  // What a webhook must have; nil matches all.
  package var provider: String?
  /// By the provider's name for it.
  package var kind: String?
  /// The phone number or email address that it is about.
  package var number: String?

  package var occurrences = Occurrences()
  package var delivery: Delivery?
  /// How much later it is sent; for one that is reordered, the longest time that it waits for the next one.
  package var delay: Duration?
  package var signature: Signature?
  /// How much older its timestamp is; the signature covers the older one.
  package var timestampAge: Duration?
  package var contentType: String?

  package init() {}

  package static let kind = "webhookFault"
  package static let noun = "webhook fault"
  package static let subject = "webhooks that go wrong on purpose"
  package static let listName = "webhookFaults"
  package static let controlPath = "/control/webhooks/faults"

  package static func rules(of sandbox: Sandbox) -> Rules<WebhookFault> { sandbox.webhookFaults }

  package func validate(against names: [RouteNames], at path: String) throws(FieldError) {
    try occurrences.validate(at: path)
    if let delay, delivery == .lost {
      throw FieldError(
        path: "\(path).delayMs", expected: "nothing beside the delivery lost",
        found: .integer(delay.milliseconds))
    }
    try names.validate(
      webhooksOf: provider, kind: kind, haveTimestamps: timestampAge != nil, in: path)
  }

  private static let turns: [Field<WebhookFault>] =
    (Occurrences.fields + [Occurrences.times("webhooks")]).map { $0.lifted(\.occurrences) }

  package static let schema = Schema<WebhookFault>(
    "WebhookFault",
    "A rule about webhooks that go wrong on their way. Of the matching rules that apply, the first one wins.",
    [
      .nullable("provider", \.provider, .string, "Only webhooks of this provider."),
      .nullable("kind", \.kind, .string, "Only webhooks of this kind, by the provider's name for it."),
      .nullable(
        "number", \.number, .destination, "Only webhooks about this phone number or email address."),
    ] + turns + [
      .nullable(
        "delivery", \.delivery, .word,
        "The webhook is never sent, sent twice, or sent after the next one to the same receiver."),
      .nullable(
        "delayMs", \.delay, .milliseconds,
        "How much later it is sent, on the sandbox's clock. With reorder: how long it waits for the next webhook; a "
          + "minute by default."),
      .nullable(
        "signature", \.signature, .word, "A wrong signature of the right form, or no signature at all."),
      .nullable(
        "timestampAgeMs", \.timestampAge, .milliseconds,
        "How much older the webhook's timestamp is, with a valid signature; for providers whose webhooks have one."
      ),
      .nullable(
        "contentType", \.contentType, .contentType, "Another content type, such as text/plain."),
    ] + ignoredCounts,
    constraints: [
      .atLeastOne(of: ["delivery", "delayMs", "signature", "timestampAgeMs", "contentType"])
    ])

  /// The request as it arrives. `signatureFields` are the header fields with the provider's signature,
  /// `signatureMember` is the member of a body with it.
  package func applied(
    to request: WebhookRequest, signatureFields: [String], signatureMember: String?
  ) -> WebhookRequest {
    let fields = request.fields.compactMap { field -> WebhookRequest.Field? in
      if let contentType, field.name == "Content-Type" { return .init(field.name, contentType) }
      guard let signature, signatureFields.contains(field.name) else { return field }
      return signature == .missing ? nil : .init(field.name, Self.altered(field.value))
    }
    let body = signatureMember.map { Array(spoiled(String(decoding: request.body, as: UTF8.self), $0).utf8) }
    return WebhookRequest(request.method, fields: fields, body: body ?? request.body)
  }

  /// A body or a URL whose last member may be its signature: `…,"sig":"00AF"}`, `…&sig=00AF`.
  package func spoiled(_ text: String, _ member: String) -> String {
    guard let signature else { return text }
    for mark in [",\"\(member)\":\"", "&\(member)="] {
      guard let start = text.ranges(of: mark).last else { continue }
      let value = text[start.upperBound...].prefix(while: \.isHexDigit)
      let end = text[value.endIndex...]
      return switch signature {
      case .wrong: "\(text[..<start.upperBound])\(Self.altered(String(value)))\(end)"
      case .missing: "\(text[..<start.lowerBound])\(end.drop { $0 == "\"" })"
      }
    }
    return text
  }

  /// Replaces one character, eight before the end: the text is a signature in Base64, perhaps with padding
  /// and after other parts.
  private static func altered(_ signature: String) -> String {
    var bytes = Array(signature.utf8)
    guard let place = bytes.indices.suffix(8).first else { return signature }
    bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FieldType<String> {
  /// A content type, right or wrong. Other characters would not reach the receiver.
  package static var contentType: FieldType {
    .text(
      .string(pattern: "^[!-~]([ -~]{0,98}[!-~])?$"), expected: "1 to 100 printable ASCII characters"
    ) { text in
      (1...100).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        && !text.hasPrefix(" ") && !text.hasSuffix(" ")
    }
  }
}

extension Rules<WebhookFault> {
  /// The fault for a webhook that is due. `number` returns the phone number or address that it is about;
  /// `hasTimestamp` is true if its timestamp can be set back.
  package func first(
    for webhook: Webhook, hasTimestamp: Bool, number: () throws -> String?
  ) throws -> InjectedWebhookFault? {
    guard try canAct else { return nil }
    let draft = webhook.draft
    let acting = try first { fault in
      guard fault.provider == nil || fault.provider == draft.provider,
        fault.kind == nil || fault.kind == draft.kind, fault.timestampAge == nil || hasTimestamp
      else { return false }
      // The next webhook is the one that overtakes.
      if fault.delivery == .reorder, try sandbox.webhooks.isReordered(to: draft.destination) { return false }
      return try fault.number == nil || fault.number == number()
    }
    return acting.map { InjectedWebhookFault(fault: $0.rule, number: $0.number, origin: $0.origin) }
  }
}

/// The fault injected into one webhook.
package struct InjectedWebhookFault: Equatable, Sendable {
  package private(set) var fault: WebhookFault
  /// The number of the fault, counted from 1; nil for a webhook that was forged.
  package private(set) var number: Int?
  package private(set) var origin: RuleOrigin

  package var isForged: Bool { number == nil }

  package init(fault: WebhookFault, number: Int?, origin: RuleOrigin = .control) {
    self.fault = fault
    self.number = number
    self.origin = origin
  }

  private static let schema = Schema<InjectedWebhookFault>(
    [.nullable("rule", \.number, .position), .field("addedBy", \.origin, .word, default: .control)]
      + WebhookFault.schema.fields.map { $0.lifted(\.fault) })

  /// The stored form.
  var column: String { String(decoding: Self.schema.encode(self), as: UTF8.self) }

  /// Nil for another text.
  init?(column: String) {
    self.init(fault: WebhookFault(), number: nil)
    do {
      try Self.schema.merge(Fields(Array(column.utf8)), into: &self)
    } catch {
      return nil
    }
  }
}
