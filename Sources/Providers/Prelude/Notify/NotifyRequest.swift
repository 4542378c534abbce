import ProviderKit

/// The body of a send, a batch or a transactional send. Source: contract 10.
struct NotifyRequest {
  enum Kind {
    case single
    case batch
    /// The older operation, without `schedule_at`.
    case transactional
  }

  enum PreferredChannel: String, CaseIterable {
    case sms
    case rcs
    case whatsapp
  }

  let templateID: String
  /// Not validated yet. One unless it is a batch.
  let receivers: [String]
  let callbackURL: String?
  let correlationID: String?
  let expiresAt: Timestamp?
  let sender: String?
  let locale: String?
  let preferredChannel: PreferredChannel?
  let scheduleAt: Timestamp?
  let variables: Texts

  /// Validates in the order of the provider's schema: first presence and types, then values.
  init(_ fields: Fields, as kind: Kind) throws {
    templateID = try fields.string("template_id")
    receivers = kind == .batch ? try fields.strings("to") : [try fields.string("to")]
    callbackURL = try fields.optionalString("callback_url")
    correlationID = try fields.optionalString("correlation_id")
    let document = try fields.optionalObject("document")
    let documentURL = try document?.string("url")
    _ = try document?.optionalString("filename")
    let expiresAt = try fields.optionalString("expires_at")
    sender = try fields.optionalString("from")
    locale = try fields.optionalString("locale")
    if let retries = try fields.optionalInt("max_auto_retries"), retries < 0 {
      throw fields.mismatch("max_auto_retries", expected: "0 or more")
    }
    preferredChannel = try fields.optionalWord("preferred_channel", of: PreferredChannel.self)
    let scheduleAt = kind == .transactional ? nil : try fields.optionalString("schedule_at")
    variables = try fields.texts("variables")
    if let documentURL, AbsoluteURL(documentURL) == nil {
      throw fields.mismatch("document.url", expected: "an http or https URL")
    }
    self.expiresAt = try expiresAt.map { try Self.time($0, "expires_at") }
    self.scheduleAt = try scheduleAt.map { try Self.time($0, "schedule_at") }
    try validate()
  }

  private func validate() throws(APIError) {
    guard !receivers.isEmpty else { throw APIError(.emptyBatch, param: "to") }
    guard receivers.count <= 1000 else { throw APIError(.batchSizeExceeded, param: "to") }
    guard Template.isValidID(templateID) else { throw APIError(.invalidTemplateID, param: "template_id") }
    try Validation.checkCallbackURL(callbackURL, param: "callback_url")
    try Validation.checkCorrelationID(correlationID, param: "correlation_id")
    if let locale, !LanguageTag.isValid(locale) { throw APIError(.invalidLocale, param: "locale") }
    if let sender, !SenderID.isValid(sender) { throw APIError(.invalidSenderID, param: "from") }
  }

  private static func time(_ text: String, _ name: String) throws(APIError) -> Timestamp {
    guard let time = Timestamp(rfc3339: text) else {
      throw APIError(
        .invalidDateFormat, "\(name) has to be a time of RFC 3339, 2026-01-05T10:20:30Z", param: name)
    }
    return time
  }
}
