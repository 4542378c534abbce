import ProviderKit

/// The result of comparing what an app says about a person with the operator's record. Source: contract 9.1.
enum IdentityMatch {
  case match
  /// From 0 to 99; nil for what is compared exactly.
  case mismatch(score: Int?)
  case notAvailable

  init(of claim: String, as trait: Person.Trait, with subscriber: Subscriber) {
    let recorded = subscriber.kyc[trait] ?? (trait == .email ? subscriber.email : nil)
    guard let recorded else {
      self = .notAvailable
      return
    }
    let (left, right) = (Self.folded(claim), Self.folded(recorded))
    guard left != right else {
      self = .match
      return
    }
    let score = Int(100 * JaroWinkler.similarity(of: left, and: right))
    self = .mismatch(score: trait.hasScore ? min(score, 99) : nil)
  }

  var word: String {
    switch self {
    case .match: "true"
    case .mismatch: "false"
    case .notAvailable: "not_available"
    }
  }

  /// 100 for a match; nil without a score.
  var score: Int? {
    switch self {
    case .match: 100
    case .mismatch(let score): score
    case .notAvailable: nil
    }
  }

  /// In lower case, without blanks around it; the beginning of a text that is longer than any name.
  private static func folded(_ text: String) -> String {
    // By scalars: to find the characters before the end of a row of flags takes quadratic time.
    let letters = text.unicodeScalars.prefix(1_000).drop { $0.properties.isWhitespace }
    let end = letters.lastIndex { !$0.properties.isWhitespace }
    return end.map { String(letters[...$0]).lowercased() } ?? ""
  }
}

extension Person.Trait {
  /// Names of people and places can be similar; numbers, dates and codes are the same or not.
  var hasScore: Bool {
    switch self {
    case .idDocument, .idDocumentType, .idDocumentExpiryDate, .postalCode, .country, .houseNumberExtension,
      .birthdate, .gender, .countryOfBirth, .nationality:
      false
    case .name, .givenName, .familyName, .nameKanaHankaku, .nameKanaZenkaku, .middleNames,
      .familyNameAtBirth, .address, .streetName, .streetNumber, .region, .locality, .email, .cityOfBirth:
      true
    }
  }
}

/// What a request says about a person.
struct Claims {
  private(set) var values: [(trait: Person.Trait, value: String)] = []

  /// Reads these members of a body.
  init(_ body: Fields, _ traits: [Person.Trait]) throws {
    for trait in traits {
      guard let value = try Self.read(trait, of: body) else {
        try body.requireAbsent(trait.rawValue, expected: "a string")
        continue
      }
      values.append((trait, value))
    }
  }

  subscript(trait: Person.Trait) -> String? { values.first { $0.trait == trait }?.value }

  func matches(with subscriber: Subscriber) -> [(trait: Person.Trait, match: IdentityMatch)] {
    values.map { ($0.trait, IdentityMatch(of: $0.value, as: $0.trait, with: subscriber)) }
  }

  private static func read(_ trait: Person.Trait, of body: Fields) throws -> String? {
    let name = trait.rawValue
    return switch trait {
    case .birthdate, .idDocumentExpiryDate: try body.optionalDay(name)?.text
    case .idDocumentType: try body.optionalWord(name, of: IdentityDocument.self)?.rawValue
    case .gender: try body.optionalWord(name, of: Gender.self)?.rawValue
    case .email: try body.optionalText(name, expected: "an email address", where: EmailAddress.isValid)
    default: try body.optionalString(name)
    }
  }

  private enum Gender: String, CaseIterable {
    case male = "MALE"
    case female = "FEMALE"
    case other = "OTHER"
  }
}
