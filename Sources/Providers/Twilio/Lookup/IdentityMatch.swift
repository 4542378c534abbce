import ProviderKit

/// Compares what an app says about a person with the carrier's record. Source: contract 16.1.
extension LookupLine {
  var identityMatch: LookupResult {
    guard !query.claims.isEmpty else {
      return LookupResult(error: 60617, IdentityMatch.members, message: "Too few parameters")
    }
    guard query.claims[.birthday].map({ $0.utf8.count == 8 && Int($0) != nil }) ?? true else {
      return LookupResult(error: 60618, IdentityMatch.members, message: "DateOfBirth: expected YYYYMMDD")
    }
    let person = subscriber.kyc
    let address = [query.claims[.addressLine1], query.claims[.addressLine2]].compactMap { $0 }
    let birthday = person[.birthdate]?.filter { $0 != "-" }
    let matches: [(name: String, match: IdentityMatch?)] = [
      ("first_name", .init(of: query.claims[.firstName], with: person[.givenName])),
      ("last_name", .init(of: query.claims[.lastName], with: person[.familyName])),
      (
        "address_lines",
        .init(of: address.isEmpty ? nil : address.joined(separator: " "), with: person.streetAddress)
      ),
      ("city", .init(of: query.claims[.city], with: person[.locality])),
      ("state", .init(of: query.claims[.state], with: person[.region])),
      ("postal_code", .init(of: query.claims[.postalCode], with: person[.postalCode], isExact: true)),
      ("address_country", .init(of: query.claims[.country], with: person[.country], isExact: true)),
      ("national_id", .init(of: query.claims[.nationalID], with: person[.idDocument], isExact: true)),
      ("date_of_birth", .init(of: query.claims[.birthday], with: birthday, isExact: true)),
    ]
    let scores = matches.compactMap { $0.match?.score }
    let sum = scores.reduce(0, +)
    return LookupResult(
      matches.map { JSON.Member("\($0.name)_match", $0.match?.rawValue) } + [
        JSON.Member("summary_score", scores.isEmpty ? 0 : sum / max(1, scores.count))
      ])
  }
}

/// The result of one claim.
enum IdentityMatch: String {
  case exact = "exact_match"
  case highPartial = "high_partial_match"
  case partial = "partial_match"
  case none = "no_match"
  /// The carrier has no record of it.
  case noData = "no_data_available"

  /// Nil without a claim. `isExact`: similar values do not match.
  init?(of claim: String?, with recorded: String?, isExact: Bool = false) {
    guard let claim else { return nil }
    guard let recorded else {
      self = .noData
      return
    }
    let likeness = Similarity(of: claim, and: recorded)
    self =
      if likeness.isSame {
        .exact
      } else if isExact || likeness.score < 50 {
        .none
      } else {
        likeness.score < 80 ? .partial : .highPartial
      }
  }

  /// The share of the summary, from 0 to 100; nil if it does not count. The provider's weights are not
  /// public.
  var score: Int? {
    switch self {
    case .exact: 100
    case .highPartial: 80
    case .partial: 50
    case .none: 0
    case .noData: nil
    }
  }

  /// The members of the package, without the error.
  static let members =
    [
      "first_name", "last_name", "address_lines", "city", "state", "postal_code", "address_country",
      "national_id", "date_of_birth",
    ].map { "\($0)_match" } + ["summary_score"]
}
