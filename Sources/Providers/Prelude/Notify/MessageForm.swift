import Domain
import HTTP
import JSON
import ProviderKit

/// What is to be sent, and to whom. Source: contract 10.
struct MessageForm {
  /// How it was asked for.
  enum Kind {
    /// To one receiver.
    case single
    /// To a list of them.
    case batch
    /// To one, at once: the older operation.
    case transactional
  }

  /// The channels that can be preferred.
  enum PreferredChannel: String, CaseIterable {
    case sms
    case rcs
    case whatsapp
  }

  let templateID: String
  /// The receivers as they came.
  let receivers: [String]
  let callbackURL: String?
  let correlationID: String?
  let expiresAt: Timestamp?
  let sender: String?
  let locale: String?
  let preferredChannel: PreferredChannel?
  let scheduleAt: Timestamp?
  let variables: Texts

  /// Reads the body in the order of the vendor's schema: first what is there and of which type, then values.
  init(_ fields: Fields, as kind: Kind) throws {
    templateID = try fields.string("template_id")
    receivers = kind == .batch ? try fields.strings("to") : [try fields.string("to")]
    callbackURL = try fields.optionalString("callback_url")
    correlationID = try fields.optionalString("correlation_id")
    let document = try fields.optionalObject("document")
    let documentURL = try document?.string("url")
    _ = try document?.optionalString("filename")
    let expiry = try fields.optionalString("expires_at")
    sender = try fields.optionalString("from")
    locale = try fields.optionalString("locale")
    if let retries = try fields.optionalInt("max_auto_retries"), retries < 0 {
      throw fields.mismatch("max_auto_retries", expected: "0 or more")
    }
    preferredChannel = try fields.optionalWord("preferred_channel", of: PreferredChannel.self)
    let schedule = kind == .transactional ? nil : try fields.optionalString("schedule_at")
    variables = try fields.texts("variables")
    if let documentURL, !isWebURL(documentURL) {
      throw fields.mismatch("document.url", expected: "an http or https URL")
    }
    expiresAt = try expiry.map { try Self.time($0, "expires_at") }
    scheduleAt = try schedule.map { try Self.time($0, "schedule_at") }
    try checkForms()
  }

  private func checkForms() throws(Problem) {
    guard !receivers.isEmpty else { throw Problem(.emptyBatch, param: "to") }
    guard receivers.count <= 1000 else { throw Problem(.batchSizeExceeded, param: "to") }
    guard Template.isWellFormed(templateID) else { throw Problem(.invalidTemplateID, param: "template_id") }
    try checkCallback(callbackURL, at: "callback_url")
    try checkCorrelation(correlationID, at: "correlation_id")
    if let locale, !isLanguageTag(locale) { throw Problem(.invalidLocale, param: "locale") }
    if let sender, !SenderID.isWellFormed(sender) { throw Problem(.invalidSenderID, param: "from") }
  }

  private static func time(_ text: String, _ name: String) throws(Problem) -> Timestamp {
    guard let time = Timestamp(rfc3339: text) else {
      throw Problem(
        .invalidDateFormat, "\(name) has to be a time of RFC 3339, 2026-01-05T10:20:30Z", param: name)
    }
    return time
  }
}
