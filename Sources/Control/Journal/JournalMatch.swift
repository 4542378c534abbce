import Domain
import HTTP
import JSON

/// Which requests of the journal are meant.
struct JournalMatch {
  var provider: String?
  var route: String?
  var method: String?
  var status: Int?
  var contains: String?

  /// Reads the members of a claim's `match`.
  init(_ fields: Fields) throws(FieldError) {
    provider = try fields.optionalString("provider")
    route = try fields.optionalString("route")
    method = try fields.optionalString("method")
    status = try fields.optionalInt("status")
    contains = try fields.optionalString("contains")
  }

  /// Reads the fields of a query.
  init(_ query: Form) throws(FormError) {
    provider = query["provider"]
    route = query["route"]
    method = query["method"]
    contains = query["contains"]
    if let text = query["status"] {
      guard let status = Int(text) else { throw FormError(field: "status", expected: "a status code") }
      self.status = status
    }
  }

  func matches(_ exchange: Journal.Exchange) -> Bool {
    (provider == nil || provider == exchange.owner) && (route == nil || route == exchange.route)
      && (method == nil || method?.uppercased() == exchange.method)
      && (status == nil || status == exchange.status)
      && (contains.map { Self.text($0, standsIn: exchange) } ?? true)
  }

  private static func text(_ text: String, standsIn exchange: Journal.Exchange) -> Bool {
    [Array(exchange.target.utf8), exchange.requestBody].contains { bytes in
      String(decoding: bytes, as: UTF8.self).contains(text)
        || PercentCoding.decode(bytes, plusIsSpace: false)?.contains(text) ?? false
    }
  }
}
