import JSON

/// The fictional person behind a line, for match scores. Source: `carrier.md` 3.2 and 4.2.
package struct Person: Equatable, Sendable {
  package enum Trait: String, CaseIterable, Sendable {
    case idDocument, idDocumentType, idDocumentExpiryDate, name, givenName, familyName, nameKanaHankaku
    case nameKanaZenkaku, middleNames, familyNameAtBirth, address, streetName, streetNumber, postalCode
    case region, locality, country, houseNumberExtension, birthdate, email, gender, cityOfBirth
    case countryOfBirth, nationality

    fileprivate var summary: String {
      switch self {
      case .idDocument: "The number of an identity document."
      case .idDocumentType: "The kind of the identity document."
      case .idDocumentExpiryDate: "The last day of the identity document, such as 2030-01-31."
      case .name: "The full name."
      case .givenName: "The given name."
      case .familyName: "The family name."
      case .nameKanaHankaku: "The name in half-width kana."
      case .nameKanaZenkaku: "The name in full-width kana."
      case .middleNames: "The middle names."
      case .familyNameAtBirth: "The family name at birth."
      case .address: "The full address."
      case .streetName: "The street."
      case .streetNumber: "The house number."
      case .postalCode: "The postal code."
      case .region: "The region."
      case .locality: "The town."
      case .country: "ISO 3166-1 alpha-2."
      case .houseNumberExtension: "The addition to the house number."
      case .birthdate: "The date of birth, such as 1990-01-31."
      case .email: "The email address."
      case .gender: "MALE, FEMALE or OTHER."
      case .cityOfBirth: "The town of birth."
      case .countryOfBirth: "The country of birth, ISO 3166-1 alpha-2."
      case .nationality: "The nationality, ISO 3166-1 alpha-2."
      }
    }

    fileprivate var type: FieldType<String> {
      switch self {
      case .idDocumentType: .oneOf(IdentityDocument.allCases.map(\.rawValue))
      case .idDocumentExpiryDate: .day
      case .countryOfBirth, .nationality: .countryCode
      default: .string
      }
    }
  }

  private var traits: [Trait: String] = [:]

  package init() {}

  package subscript(trait: Trait) -> String? {
    get { traits[trait] }
    set { traits[trait] = newValue }
  }

  /// True if no trait is known.
  package var isUnknown: Bool { traits.isEmpty }

  static let schema = Schema<Person>(
    nil, "", Trait.allCases.map { .optional($0.rawValue, \.[$0], $0.type, $0.summary) })
}

/// The kinds of identity documents. Source: `carrier.md` 3.2.
package enum IdentityDocument: String, CaseIterable, Sendable {
  case passport
  case nationalIDCard = "national_id_card"
  case residencePermit = "residence_permit"
  case diplomaticID = "diplomatic_id"
  case driverLicence = "driver_licence"
  case socialSecurityID = "social_security_id"
  case other
}

/// What a subscriber has agreed to, by purpose. Source: `carrier.md` 4.2.
package struct Consent: Equatable, Sendable {
  package enum Answer: String, CaseIterable, Sendable {
    case granted
    case denied
    case unknown
  }

  /// The purpose that means all purposes without an answer of their own.
  package static let anyPurpose = "*"

  /// In the Data Privacy Vocabulary of W3C, the prefix of a purpose.
  package static let purposePrefix = "dpv:"

  /// Without the prefix.
  package static func isPurposeName(_ text: some StringProtocol) -> Bool {
    (1...100).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isAlphanumeric }
  }

  /// The key of what a record names: `*` or a purpose, which may lack its prefix, and maybe `#` and a scope.
  /// Nil for a text that no client can ask for.
  static func key(_ text: String) -> String? {
    let purpose = text.prefix { $0 != scopeMark }
    if purpose == anyPurpose { return text }
    let name = purpose.hasPrefix(purposePrefix) ? purpose.dropFirst(purposePrefix.count) : purpose
    return isPurposeName(name) ? purposePrefix + name + text.dropFirst(purpose.count) : nil
  }

  /// The scope in a key; nil if it is for all.
  static func scope(in key: String) -> String? {
    key.firstIndex(of: scopeMark).map { String(key[key.index(after: $0)...]) }
  }

  private static let scopeMark: Character = "#"

  /// The most purposes of a request.
  static let limit = 100

  /// The purposes with an answer of their own, in order.
  package private(set) var answers: [(purpose: String, answer: Answer)] = []

  /// Everything is granted.
  package init() {}

  /// The answer to a purpose, such as `dpv:FraudPreventionAndDetection`.
  package subscript(purpose: String) -> Answer {
    get {
      let answer = answers.first { $0.purpose == purpose } ?? answers.first { $0.purpose == Self.anyPurpose }
      return answer?.answer ?? .granted
    }
    set {
      if let place = answers.firstIndex(where: { $0.purpose == purpose }) {
        answers[place].answer = newValue
      } else {
        answers.append((purpose, newValue))
      }
    }
  }

  /// Forgets the answer to a purpose.
  mutating func clear(_ purpose: String) { answers.removeAll { $0.purpose == purpose } }

  package static func == (one: Consent, other: Consent) -> Bool {
    one.answers.elementsEqual(other.answers, by: ==)
  }
}

/// How likely a number is misused, for providers' risk scores. Source: `carrier.md` 4.2.
package struct Risk: Equatable, Sendable {
  /// From 0, harmless, to 1000.
  package var score = 0
  package var reasons: [String] = []

  package init() {}

  static let schema = Schema<Risk>(
    nil, "",
    [
      .field("score", \.score, .integer(0...1000), default: 0, "From 0, harmless, to 1000."),
      .field(
        "reasons", \.reasons, .array(of: .string, maxItems: SandboxLimits.items), default: [],
        "The reasons for the score."),
    ])
}
