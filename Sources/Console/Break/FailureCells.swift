import Control
import JSON

/// What each provider shows for each failure. Source: `Assets/FailureCells.json`, written from the records of
/// `test_failures.py`.
enum FailureCells {
  struct Place {
    /// The name of a status, an event or a phone, such as `callback`; nil for a remark.
    let name: String?
    let value: String
  }

  private static let cells: JSON? = try? JSON(parsing: PackageResources.FailureCells_json)

  /// Nil if the provider has nothing of the kind.
  static func text(_ failure: String, of provider: String) -> [Place]? {
    guard case .object(let places)? = cells?[failure]?[provider] else { return nil }
    guard !places.isEmpty else { return [Place(name: nil, value: "nothing else than usual")] }
    return places.map { Place(name: $0.name, value: $0.value.asText) }
  }

  /// Why no failure of a flow applies to a provider; nil if some do.
  static func reason(against flow: FailureGroup.Flow, of provider: String) -> String? {
    guard case .string(let reason)? = cells?["flow \(flow.rawValue)"]?[provider] else { return nil }
    return reason
  }
}

extension JSON {
  fileprivate subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// A text without its quotes.
  fileprivate var asText: String { if case .string(let text) = self { text } else { text } }
}
