import ProviderKit

/// How verify turns out for a test user. Source: contract 7.2 and 9.4.
struct VerifyScript: Equatable, Sendable {
  var passes = true
  var assurance = Assurance()
  /// Each is a failure of its category in `evaluation`.
  var failures: [FraudCode] = []
  /// Other people with the same number.
  var additionalIdentities: [VerifiedPerson] = []
  /// For `prefillForBiz`.
  var businesses: [Business] = []

  static let schema = Schema<VerifyScript>(
    "ProveVerify", "How verify turns out.",
    [
      .field("passes", \.passes, .boolean, default: true, "Whether verify succeeds."),
      .nested("assurance", \.assurance, Assurance.schema, "How sure the provider is of the identity."),
      .field(
        "failureReasons", \.failures, .array(of: .numberWord, maxItems: 20), default: [],
        "Codes of the Global Fraud Policy. Each makes its category fail."),
      .field(
        "additionalIdentities", \.additionalIdentities,
        .objects(VerifiedPerson.schema, maxItems: 10) { VerifiedPerson() }, default: [],
        "Other people with the same number."),
      .field(
        "businesses", \.businesses, .objects(Business.schema, maxItems: 10) { Business() }, default: [],
        "Businesses of the person."),
    ])
}

/// How sure the provider is of an identity. Source: contract 7.2.
struct Assurance: Equatable, Sendable {
  enum Level: String, CaseIterable, Sendable {
    case minusOne = "AL-1"
    case zero = "AL0"
    case one = "AL1"
    case two = "AL2"
    case three = "AL3"
  }

  var level = Level.two
  /// `AL2a`
  var reasons: [String] = []

  static let schema = Schema<Assurance>("ProveAssurance", "How sure the provider is of an identity.", fields)

  static let fields: [Field<Assurance>] = [
    .field("level", \.level, .word, default: .two, "The assurance level."),
    .field(
      "reasons", \.reasons, .array(of: .string(1...20), maxItems: 10), default: [],
      "Reasons of the level, such as AL2a."),
  ]
}

/// A person that verify finds besides the one who was asked for.
struct VerifiedPerson: Equatable, Sendable {
  var firstName = ""
  var lastName = ""
  var assurance = Assurance()

  static let schema = Schema<VerifiedPerson>(
    "ProveVerifiedPerson", "Another person with the same number.",
    [
      .required("firstName", \.firstName, .string(1...100), "First name."),
      .required("lastName", \.lastName, .string(1...100), "Last name."),
    ] + Assurance.fields.map { $0.lifted(\.assurance) })
}

/// Source: contract 7.2.
struct Business: Equatable, Sendable {
  var name = ""
  var tradeName: String?
  var taxID: String?
  var address: [Person.Address] = []

  static let schema = Schema<Business>(
    "ProveBusiness", "A business.",
    [
      .required("businessName", \.name, .string(1...200), "Its name."),
      .optional("tradeName", \.tradeName, .string(1...200), "The name that it trades under."),
      .optional("taxId", \.taxID, .digits(9...9), "Its tax id, nine digits."),
      .field(
        "businessAddress", \.address, .objects(Person.Address.schema, maxItems: 1) { Person.Address() },
        default: [], "Its address; at most one."),
    ])
}
