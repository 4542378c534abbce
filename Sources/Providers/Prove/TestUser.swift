import ProviderKit

/// A person whose number the provider's sandbox knows, and what happens to them. Source: contract 9.
struct TestUser: StoredRecord, Equatable {
  /// E.164.
  var number = ""
  var solutions = Solution.allCases
  var person = Person()
  var possession = PossessionScript()
  var verify = VerifyScript()
  var preFillFailure = PreFillFailure.none

  static let schema = Schema<TestUser>(
    "ProveTestUser", "A test user: a person, and what happens to them.",
    [
      .required("number", \.number, .e164, "E.164: + and 7 to 15 digits, the first not zero."),
      .field(
        "solutions", \.solutions, .distinctWords(minItems: 1), default: Solution.allCases,
        "The products that know the test user."),
      .nested("person", \.person, Person.schema, "Whose number it is."),
      .nested("possession", \.possession, PossessionScript.schema, "How checks of possession turn out."),
      .nested("verify", \.verify, VerifyScript.schema, "How verify turns out."),
      .field(
        "preFillFailure", \.preFillFailure, .word, default: .none,
        "Which step of Pre-Fill fails. The setting `preFillFailures` switches this on."),
    ])

  /// The provider's test user, or the one of a seed, with this number.
  static func find(_ number: PhoneNumber, in sandbox: Sandbox) throws -> TestUser? {
    try table.find(number.description, in: sandbox) ?? builtIn(number)
  }

  static func builtIn(_ number: PhoneNumber) -> TestUser? { builtInByNumber[number.description] }

  /// The provider's, and the sandbox's own with numbers from 2001009001. The provider names Kurt Mathen and
  /// Janek Ambrogio without numbers; those from 2001009011 and the codes of failures are the sandbox's own.
  /// Source: contract 9.
  static let builtIn = embedded {
    var users: [TestUser] = []
    for fields in try Fields(PackageResources.TestUsers_json).optionalObjects("testUsers", atMost: 100) ?? []
    {
      var user = TestUser()
      try schema.merge(fields, into: &user)
      users.append(user)
    }
    return users
  }

  private static let builtInByNumber = Dictionary(builtIn.map { ($0.number, $0) }) { first, _ in first }
  var key: String { number }
  static let table = RecordTable("test user", of: ProveProvider.name, schema) { TestUser() }
}

/// The step of Pre-Fill that fails, whatever the client sends. Source: contract 9.3.
enum PreFillFailure: String, CaseIterable, Sendable {
  case none, challenge, complete
}

/// Whose number it is. Source: contract 7.1 and 9.3.
struct Person: Equatable, Sendable {
  var firstName = ""
  var lastName = ""
  /// `1981-01-17`
  var birthDate: String?
  /// Nine digits.
  var ssn: String?
  var emailAddress: String?
  var addresses: [Address] = []

  struct Address: Equatable, Sendable {
    var address = ""
    var city = ""
    var region = ""
    var postalCode = ""

    static let schema = Schema<Address>(
      "ProveAddress", "A postal address.",
      [
        .field("address", \.address, .string(0...200), default: "", "Street and house number."),
        .field("city", \.city, .string(0...100), default: "", "The city."),
        .field("region", \.region, .string(0...100), default: "", "The state, such as CO."),
        .field(
          "postalCode", \.postalCode, .string(0...20), default: "", "ZIP code, with four more digits or not."),
      ])
  }

  static let schema = Schema<Person>(
    "ProvePerson", "A person.",
    [
      .field("firstName", \.firstName, .string(0...100), default: "", "First name."),
      .field("lastName", \.lastName, .string(0...100), default: "", "Last name."),
      .optional(
        "dob", \.birthDate,
        .text(.string(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), expected: "a date such as 1981-01-17") {
          $0.utf8.count == 10 && $0.split(separator: "-").map(\.utf8.count) == [4, 2, 2]
        }, "Date of birth."),
      .optional("ssn", \.ssn, .digits(9...9), "Social security number, nine digits."),
      .optional("emailAddress", \.emailAddress, .emailAddress, "Email address."),
      .field(
        "addresses", \.addresses, .objects(Address.schema, maxItems: 10) { Address() }, default: [],
        "Postal addresses, the current one first."),
    ])
}

/// How the checks of a number's possession turn out. Source: contract 9.1 and 9.2.
struct PossessionScript: Equatable, Sendable {
  enum MobileAuth: String, CaseIterable, Sendable {
    case notOffered
    case passes
    case fails
  }

  enum OTP: String, CaseIterable, Sendable {
    /// The code 1234 is right.
    case passes
    /// No code is right.
    case fails
    /// The message cannot be sent.
    case notSent
  }

  enum InstantLink: String, CaseIterable, Sendable {
    case passes
    /// The link expires at once.
    case expires
  }

  enum Start: String, CaseIterable, Sendable {
    case succeeds
    case internalError
    /// The first call is rejected by the rate limit.
    case rateLimitedOnce
  }

  /// True for a user who passes without a device, and whose devices get no key.
  var skipsDevice = false
  var mobileAuth = MobileAuth.notOffered
  var otp = OTP.passes
  var instantLink = InstantLink.passes
  var passesReputation = true
  var start = Start.succeeds

  static let schema = Schema<PossessionScript>(
    "ProvePossession", "How the checks of a number's possession turn out.",
    [
      .field(
        "skipsDevice", \.skipsDevice, .boolean, default: false,
        "Whether the number passes without a device. Such devices get no key."),
      .field("mobileAuth", \.mobileAuth, .word, default: .notOffered, "How Mobile Auth ends."),
      .field(
        "otp", \.otp, .word, default: .passes,
        "Whether 1234 is the right code, no code is right, or the message cannot be sent."),
      .field(
        "instantLink", \.instantLink, .word, default: .passes,
        "Whether an Instant Link works or expires at once."),
      .field(
        "passesReputation", \.passesReputation, .boolean, default: true,
        "Whether the reputation check passes."),
      .field(
        "start", \.start, .word, default: .succeeds,
        "Whether the first call succeeds, fails with 500, or gets 429 once."),
    ])
}
