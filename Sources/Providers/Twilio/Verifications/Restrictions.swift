import ProviderKit

/// What an account does not have or may not do, as its console or the provider decides. Members of
/// `Settings`. Nothing is restricted by default. Source: contract 13.1, 13.2 and 13.4.
struct Restrictions: Equatable, Sendable {
  enum AccountType: String, CaseIterable, Sendable {
    case full
    /// Sends to verified numbers only: error 21608.
    case trial
    /// Cannot use Verify: error 575001.
    case trialWithoutVerify
  }

  /// Whether the account can be used: if not, requests get error 20005.
  enum AccountStatus: String, CaseIterable, Sendable {
    case active, suspended, closed
  }

  /// Something that the provider asks for. A creation that needs it gets the error.
  enum Setup: String, CaseIterable, Sendable {
    /// Error 60217.
    case mailer
    /// An active template of the mailer: error 60218.
    case mailerTemplate
    /// The template's placeholders: error 60219.
    case mailerPlaceholders
    /// A verified sender of the mailer: error 60222.
    case mailerSender
    /// Error 60603.
    case mailerCredits
    /// The mailer's permission: error 60604.
    case mailerUser
    /// Error 60220.
    case chinaUseCase
    /// Error 60226.
    case chinaFriendlyName
    /// Error 60242.
    case whatsappTemplate
    /// Error 60243.
    case customMessages
    /// Error 60250.
    case australianSender
    /// Error 68008.
    case whatsappSender
  }

  var accountType = AccountType.full
  var accountStatus = AccountStatus.active
  var verifiedNumbers: [String] = []
  var disabledChannels: [String] = []
  var blockedCountries: [String] = []
  var blockedPrefixes: [String] = []
  var blockedNumbers: [String] = []
  var blockedSignups: [String] = []
  var missingSetup: [Setup] = []
  var restrictedWords: [String] = []
  var hasUniqueServiceNames = false
  var concurrencyWindow = Duration.zero
  var sendsPerDay: Int?

  /// True if one of these settings can refuse a creation; `hasUniqueServiceNames` cannot.
  var affectCreations: Bool {
    accountType != .full || !disabledChannels.isEmpty || !blockedCountries.isEmpty || !blockedPrefixes.isEmpty
      || !blockedNumbers.isEmpty || !blockedSignups.isEmpty || !missingSetup.isEmpty
      || !restrictedWords.isEmpty || concurrencyWindow > .zero || sendsPerDay != nil
  }

  /// Fails with 60248 if a name has a restricted word.
  func check(_ name: String?, of parameter: String) throws(APIError) {
    guard let name = name?.lowercased(),
      let word = restrictedWords.first(where: { name.contains($0.lowercased()) })
    else { return }
    throw APIError(code: 60248).because("\(parameter): the setting restrictedWords has \(word)")
  }

  static let fields: [Field<Settings>] = [
    .field(
      "accountType", \.restrictions.accountType, .word, default: .full,
      "The kind of account. A trial sends to verifiedNumbers only (21608); trialWithoutVerify gets 575001."),
    .field(
      "accountStatus", \.restrictions.accountStatus, .word, default: .active,
      "The status of the account. If it is not active, all operations but the fetch of the account get 20005."
    ),
    .field(
      "verifiedNumbers", \.restrictions.verifiedNumbers, .array(of: .e164, maxItems: SandboxLimits.numbers),
      default: [], "The numbers to which a trial account can send."),
    .field(
      "disabledChannels", \.restrictions.disabledChannels,
      .array(of: .oneOf(["sms", "call", "email", "whatsapp", "rcs", "sna"]), maxItems: SandboxLimits.items),
      default: [], "Channels that are switched off: error 60223."),
    .field(
      "blockedCountries", \.restrictions.blockedCountries,
      .array(of: .countryCode, maxItems: SandboxLimits.items), default: [],
      "Countries that Geo-Permissions block, by calling code: error 60605."),
    .field(
      "blockedPrefixes", \.restrictions.blockedPrefixes, .prefixes, default: [],
      "Beginnings of numbers that are blocked for fraud: error 60410, unless the SafeList has the number."),
    .field(
      "blockedNumbers", \.restrictions.blockedNumbers, .prefixes, default: [],
      "Numbers, or beginnings of them, that the provider blocks: error 60238, unless the SafeList has the number."
    ),
    .field(
      "blockedSignups", \.restrictions.blockedSignups, .prefixes, default: [],
      "Numbers, or beginnings of them, that Fraudulent Signup Prevention blocks: error 60412."),
    .field(
      "missingSetup", \.restrictions.missingSetup, .distinctWords(), default: [],
      "What the account lacks: mailer (60217), mailerTemplate (60218), mailerPlaceholders (60219), "
        + "mailerSender (60222), mailerCredits (60603), mailerUser (60604), chinaUseCase (60220), chinaFriendlyName (60226), whatsappTemplate "
        + "(60242), customMessages (60243), australianSender (60250), whatsappSender (68008)."),
    .field(
      "restrictedWords", \.restrictions.restrictedWords,
      .array(of: .string(1...64), maxItems: SandboxLimits.items), default: [],
      "Words that no friendly name may have, in any letter case: error 60248."),
    .field(
      "uniqueServiceNames", \.restrictions.hasUniqueServiceNames, .boolean, default: false,
      "A new Service cannot have the name of another one of its account: error 60246."),
    .field(
      "concurrencyWindowMs", \.restrictions.concurrencyWindow, .milliseconds, default: .zero,
      "Creations for one destination within this time count as concurrent: error 60212. 0: none do."),
    .nullable(
      "sendsPerDay", \.restrictions.sendsPerDay, .integer(0...1_000_000_000),
      "How many messages an account can send within 24 hours; the next one gets error 60245. Null: any number."
    ),
  ]
}

extension FieldType where Value == [String] {
  fileprivate static var prefixes: FieldType {
    .array(
      of: .text(.string(pattern: #"^\+[0-9]{1,15}$"#), expected: "+ and 1 to 15 digits") {
        $0.hasPrefix("+") && (2...16).contains($0.utf8.count) && $0.utf8.dropFirst().allSatisfy { $0.isDigit }
      }, maxItems: SandboxLimits.numbers)
  }
}
