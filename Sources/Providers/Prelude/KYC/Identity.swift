import Domain
import ProviderKit

/// Something that an app says of the person behind a number. Source: contract 9.
struct IdentityClaim: Equatable {
  /// What it is about.
  let attribute: IdentityAttribute
  /// What is said.
  let value: String
}

/// What can be said of a person, in the vendor's order. Source: contract 9.
enum IdentityAttribute: String, CaseIterable {
  case address
  case birthdate
  case country
  case email
  case familyName = "family_name"
  case givenName = "given_name"
  case locality
  case postalCode = "postal_code"
  case region

  /// Whether a near miss gets a score.
  var isFuzzy: Bool {
    switch self {
    case .birthdate, .country, .postalCode: false
    case .address, .email, .familyName, .givenName, .locality, .region: true
    }
  }

  /// What a subscriber's record has of it.
  func recorded(of subscriber: Subscriber) -> String? {
    let person = subscriber.kyc
    return switch self {
    case .address: person[.address]
    case .birthdate: person[.birthdate]
    case .country: person[.country]
    case .email: person[.email] ?? subscriber.email
    case .familyName: person[.familyName]
    case .givenName: person[.givenName]
    case .locality: person[.locality]
    case .postalCode: person[.postalCode]
    case .region: person[.region]
    }
  }
}

/// What the operator says to a claim. Source: contract 9.
enum IdentityVerdict: Equatable {
  /// So it stands in the record.
  case match
  /// It stands otherwise; how alike the two are, from 0 to 99, where that is told.
  case mismatch(score: Int?)
  /// The record says nothing of it.
  case notAvailable

  /// Holds a claim against the subscriber's record.
  init(of claim: IdentityClaim, about subscriber: Subscriber) {
    guard let recorded = claim.attribute.recorded(of: subscriber) else {
      self = .notAvailable
      return
    }
    guard claim.attribute.isFuzzy else {
      self = claim.value == recorded ? .match : .mismatch(score: nil)
      return
    }
    let likeness = Similarity(of: claim.value, and: recorded)
    self = likeness.isSame ? .match : .mismatch(score: likeness.score)
  }
}
