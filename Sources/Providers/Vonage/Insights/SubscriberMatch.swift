import ProviderKit

/// What an app says about the person behind a number. Source: contract 10.
enum SubscriberTrait: String, CaseIterable {
  case idDocument = "id_document"
  case givenName = "given_name"
  case familyName = "family_name"
  case streetName = "street_name"
  case streetNumber = "street_number"
  case postalCode = "postal_code"
  case locality
  case region
  case country
  case houseNumberExtension = "house_number_extension"
  case birthdate

  /// Notes the wrong members of a body.
  static func claims(_ reader: Reader) -> [SubscriberTrait: String] {
    var claims: [SubscriberTrait: String] = [:]
    for trait in allCases {
      let expected = trait == .birthdate ? "a day such as 1978-08-22" : "1 to 200 characters"
      claims[trait] = reader.text(trait.rawValue, expected) { text in
        guard trait != .birthdate else {
          return text.utf8.count == 10 && Timestamp(iso8601: text + "T00:00:00Z") != nil
        }
        return (1...200).contains(text.unicodeScalars.count)
      }
    }
    if reader.fields.count == 0 {
      reader.faults.note(String(reader.place.dropLast()), "expected at least one member")
    }
    return claims
  }

  var isPartOfAddress: Bool {
    switch self {
    case .streetName, .streetNumber, .postalCode, .locality, .region, .country, .houseNumberExtension: true
    case .idDocument, .givenName, .familyName, .birthdate: false
    }
  }

  /// True if similar values count.
  private var isFuzzy: Bool {
    switch self {
    case .idDocument, .birthdate, .country, .postalCode, .streetNumber: false
    case .givenName, .familyName, .streetName, .locality, .region, .houseNumberExtension: true
    }
  }

  func recorded(of person: Person) -> String? {
    switch self {
    case .idDocument: person[.idDocument]
    case .givenName: person[.givenName]
    case .familyName: person[.familyName]
    case .streetName: person[.streetName]
    case .streetNumber: person[.streetNumber]
    case .postalCode: person[.postalCode]
    case .locality: person[.locality]
    case .region: person[.region]
    case .country: person[.country]
    case .houseNumberExtension: person[.houseNumberExtension]
    case .birthdate: person[.birthdate]
    }
  }

  func result(of claim: String, with recorded: String) -> MatchResult {
    isFuzzy
      ? MatchResult(of: claim, with: recorded) : claim.lowercased() == recorded.lowercased() ? .exact : .none
  }
}

enum MatchResult: String {
  case exact = "EXACT"
  case high = "HIGH"
  case partial = "PARTIAL"
  case low = "LOW"
  case none = "NONE"
  case unavailable = "DATA_UNAVAILABLE"
  case included = "INCLUDED_WITH_ADDRESS_MATCH"

  /// The limits are the sandbox's.
  init(of claim: String, with recorded: String) {
    let likeness = Similarity(of: claim, and: recorded)
    self =
      switch likeness.score {
      case _ where likeness.isSame: .exact
      case 80...: .high
      case 50...: .partial
      case 20...: .low
      default: .none
      }
  }
}

/// The claims of an app compared with the operator's record.
struct SubscriberMatch {
  private var results: [(name: String, result: MatchResult)] = []

  init(of claims: [SubscriberTrait: String], with line: Subscriber) {
    let person = line.kyc
    var address: [String] = []
    for trait in SubscriberTrait.allCases {
      guard let claim = claims[trait] else { continue }
      if let recorded = trait.recorded(of: person) {
        results.append((trait.rawValue, trait.result(of: claim, with: recorded)))
      } else if trait.isPartOfAddress, person[.address] != nil {
        address.append(claim)
        results.append((trait.rawValue, .included))
      } else {
        results.append((trait.rawValue, .unavailable))
      }
    }
    // An operator that records one text compares the parts together.
    if let recorded = person[.address], !address.isEmpty {
      results.append(("address", MatchResult(of: address.joined(separator: " "), with: recorded)))
    }
  }

  func write(to json: inout JSONWriter) {
    for (name, result) in results { json.member(named: "\(name)_match", result.rawValue) }
  }
}
