/// What an app sees of failures with one provider, from the provider's `Failures.json`, which
/// `Tests/Conformance/test_failures.py` compares with the official clients.
package struct ShownFailures: Sendable {
  /// One thing that the app looks at.
  package struct Place: Sendable {
    /// `attempt`
    package let name: String
    package let value: String
    /// The value without a failure.
    package let usual: String?
    /// `GET /v2/Attempts`
    package let source: String
  }

  /// The members `places` and one for each flow.
  private let record: JSON

  package init(_ record: [UInt8]) { self.record = (try? JSON(parsing: record)) ?? .null }

  /// Why no failure of a flow applies to the provider; nil if some do.
  package func reason(against flow: FailureGroup.Flow) -> String? {
    record[flow.rawValue]?["notApplicable"]?.formText
  }

  /// What differs from the flow without a failure; nil if the provider has nothing of the kind.
  package func places(of failure: Failure) -> [Place]? {
    for flow in FailureGroup.Flow.allCases {
      guard let seen = record[flow.rawValue], case .object(let places)? = seen[failure.id] else { continue }
      return places.compactMap { place in
        let usual = seen["none"]?[place.name]
        guard usual != place.value, let value = place.value.formText else { return nil }
        return Place(
          name: place.name, value: value, usual: usual?.formText, source: source(of: place.name))
      }
    }
    return nil
  }

  /// Where a place is; empty if nobody says so.
  private func source(of place: String) -> String {
    guard case .object(let own)? = record["places"] else { return Self.commonSources[place] ?? "" }
    // `Lookup …` is for all that begin so.
    let found = own.first { member in
      member.name == place || (member.name.last == "…" && place.hasPrefix(member.name.dropLast(2)))
    }
    return found?.value.formText ?? Self.commonSources[place] ?? ""
  }

  /// Of the places that several providers have.
  private static let commonSources: [String: String] = embedded {
    try TextTable(PackageResources.Places_txt, columns: 2...2).rows
      .reduce(into: [:]) { $0[$1[0]] = $1[1] }
  }
}

extension ShownFailures.Place {
  static let schema = Schema<Self>(
    nil, "",
    [
      .readOnly("name", .string, "What the app looks at, such as check.") { $0.name },
      .readOnly("value", .string, "What it sees there.") { $0.value },
      .readOnly("usual", .string, "What it sees there without the failure.") { $0.usual },
      .readOnly("source", .string, "The request or the answer that has it.") { $0.source },
    ])
}
