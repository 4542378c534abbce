/// The fictional person behind a line, for match scores. Source: `carrier.md` 4.2; the names are those of
/// CAMARA's KYC Match.
package struct Person: Equatable, Sendable {
  /// What can be told of a person.
  package enum Trait: String, CaseIterable, Sendable {
    case idDocument, name, givenName, familyName, nameKanaHankaku, nameKanaZenkaku, middleNames
    case familyNameAtBirth, address, streetName, streetNumber, postalCode, region, locality, country
    case houseNumberExtension, birthdate, email, gender
  }

  private var traits: [Trait: String] = [:]

  /// Nobody in particular.
  package init() {}

  /// What is known of one trait.
  package subscript(trait: Trait) -> String? {
    get { traits[trait] }
    set { traits[trait] = newValue }
  }

  /// Whether nothing is known.
  package var isUnknown: Bool { traits.isEmpty }
}

/// What a subscriber has agreed to, by purpose. Source: `carrier.md` 4.2.
package struct Consent: Equatable, Sendable {
  /// The answer to one purpose.
  package enum Answer: String, CaseIterable, Sendable {
    /// Yes.
    case granted
    /// No.
    case denied
    /// Never asked.
    case unknown
  }

  /// The purpose that stands for all that are not named.
  package static let anyPurpose = "*"

  /// The purposes that were named, in order, each with its answer.
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

  /// Whether two subscribers have agreed to the same.
  package static func == (one: Consent, other: Consent) -> Bool {
    one.answers.elementsEqual(other.answers, by: ==)
  }
}

/// How likely a number is misused, for providers' risk scores. Source: `carrier.md` 4.2.
package struct Risk: Equatable, Sendable {
  /// From 0, harmless, to 1000.
  package var score = 0
  /// Why.
  package var reasons: [String] = []

  /// Harmless.
  package init() {}
}
