import Domain
import HTTP
import JSON
import ProviderKit

/// The body of a finalization, wherever a client puts it. Source: contract 3.3, quirks 4 and 8; 4.6.
struct FinalizationForm {
  /// The code.
  let securityFactor: String

  /// Reads the body, else JSON in the query, else the query's own fields; whatever the content type says.
  init(_ call: Call) throws {
    let query = call.request.target.query
    if !call.request.body.isEmpty {
      try self.init(call.request.json)
    } else if query.hasPrefix("%7B") || query.hasPrefix("%7b") || query.hasPrefix("{") {
      guard call.settings.takesPatchQuery else {
        throw Self.invalid("JSON stands in the query, and the setting compat.python_patch_query is off")
      }
      guard let text = PercentCoding.decode(Array(query.utf8), plusIsSpace: false) else {
        throw Self.invalid("the query holds a broken percent escape")
      }
      try self.init(Fields(Array(text.utf8)))
    } else {
      let query = try call.request.query
      try self.init(action: query["action"], securityFactor: query["security_factor"])
    }
  }

  private init(_ fields: Fields) throws {
    try self.init(
      action: fields.optionalString("action"), securityFactor: fields.optionalString("security_factor"))
  }

  private init(action: String?, securityFactor: String?) throws {
    guard action == "finalize" else { throw Self.invalid("action: expected finalize") }
    guard let securityFactor, !securityFactor.isEmpty,
      securityFactor.utf8.allSatisfy({ $0.isDigit })
    else { throw Self.invalid("security_factor: expected digits in a string") }
    self.securityFactor = securityFactor
  }

  private static func invalid(_ why: String) -> Problem {
    Problem(3110, in: .omnichannel).because(why)
  }
}
