package import JSON

/// Selects requests of the journal; nil matches all.
package struct JournalFilter: Equatable, Sendable {
  package var provider: String?
  package var route: String?
  package var method: String?
  package var status: Int?
  package var contains: String?
  package var answerContains: String?

  /// True if the bytes contain the text, as they are or percent-decoded.
  package typealias TextSearch = (_ text: String, _ bytes: [UInt8]) -> Bool

  package init() {}

  /// True if bodies have to be searched, which takes long for large ones.
  package var hasTexts: Bool { contains != nil || answerContains != nil }

  package static let schema = Schema<JournalFilter>(
    nil, "",
    [
      .optional("provider", \.provider, .string, "Only this provider."),
      .optional("route", \.route, .string, "Only requests to the route of this name."),
      .optional("method", \.method, .string, "Only requests with this method."),
      .optional("status", \.status, .integer(0...599), "Only requests answered with this status."),
      .optional("contains", \.contains, .string, "Only requests with this text in path, query or body."),
      .optional(
        "answerContains", \.answerContains, .string,
        "Only requests with this text in the body of the answer, such as the provider's error code."),
    ])

  package func matches(_ exchange: Journal.Exchange, search: TextSearch) -> Bool {
    (provider == nil || provider == exchange.owner) && (route == nil || route == exchange.route)
      && (method == nil || method?.uppercased() == exchange.method)
      && (status == nil || status == exchange.status)
      && (contains.map { search($0, Array(exchange.target.utf8)) || search($0, exchange.requestBody) } ?? true)
      && (answerContains.map { search($0, exchange.responseBody) } ?? true)
  }
}
