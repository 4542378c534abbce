import ProviderKit

/// A Service's subscription to events of factors and challenges. Source: contract 8.2.
struct ServiceWebhook: Equatable, Sendable {
  enum Status: String, CaseIterable, Sendable {
    case enabled, disabled
  }

  enum Version: String, CaseIterable, Sendable {
    /// Only the documented fields.
    case v1
    case v2
  }

  var sid = ""
  /// From the path; the record does not have it.
  var serviceSid = ""
  var friendlyName = ""
  /// Names of events, or `*` for all.
  var eventTypes: [String] = []
  var url = ""
  var status = Status.enabled
  var version = Version.v2
  var createdAt = Timestamp.earliest
  var updatedAt = Timestamp.earliest

  func isSubscribed(to event: FactorEvent) -> Bool {
    status == .enabled && eventTypes.contains { $0 == "*" || $0 == event.rawValue }
  }

  /// Sets what the form names; a new webhook needs `FriendlyName`, `EventTypes` and `WebhookUrl`.
  mutating func apply(_ form: Form, isNew: Bool) throws(APIError) {
    form.declare(["FriendlyName", "EventTypes", "WebhookUrl", "Status", "Version"])
    friendlyName = form.text("FriendlyName") ?? friendlyName
    guard !friendlyName.isEmpty, friendlyName.utf8.count <= Self.nameLimit else {
      throw .invalidParameter("FriendlyName", expected: "1 to \(Self.nameLimit) bytes")
    }
    try applyEventTypes(form.all("EventTypes").filter { !$0.isEmpty }, isNew: isNew)
    if isNew || form.text("WebhookUrl") != nil {
      url = form.text("WebhookUrl") ?? ""
      // With the hash, the longest form in which it is called.
      guard AbsoluteURL(WebhookSignature.url(url, hashing: [])) != nil else {
        throw .invalidParameter("WebhookUrl", expected: "an http or https URL")
      }
    }
    status = try Self.word("Status", of: form) ?? status
    version = try Self.word("Version", of: form) ?? version
  }

  /// Keeps the order of the request; a repeated name counts once.
  private mutating func applyEventTypes(_ names: [String], isNew: Bool) throws(APIError) {
    if names.isEmpty, !isNew { return }
    guard !names.isEmpty, names.allSatisfy(Self.eventNames.contains) else {
      throw .invalidParameter("EventTypes", expected: "some of \(Self.eventNames.joined(separator: ", "))")
    }
    eventTypes = names.enumerated().filter { !names[..<$0.offset].contains($0.element) }.map(\.element)
  }

  private static func word<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, of form: Form
  ) throws(APIError) -> Word? {
    guard let text = form.text(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw .invalidParameter(name, expected: Word.allCases.map(\.rawValue).joined(separator: " or "))
    }
    return word
  }

  private static let eventNames = ["*"] + FactorEvent.allCases.map(\.rawValue)
  /// The provider states none.
  private static let nameLimit = 256
}

extension ServiceWebhook {
  static let table = RecordTable("webhook", of: TwilioProvider.name, schema) { ServiceWebhook() }

  private static let schema = Schema<ServiceWebhook>([
    .required("sid", \.sid, .string),
    .required("friendlyName", \.friendlyName, .string),
    .required("eventTypes", \.eventTypes, .array(of: .string)),
    .required("url", \.url, .string),
    .required("status", \.status, .word),
    .required("version", \.version, .word),
    .required("createdAt", \.createdAt, .timestamp),
    .required("updatedAt", \.updatedAt, .timestamp),
  ])
}
