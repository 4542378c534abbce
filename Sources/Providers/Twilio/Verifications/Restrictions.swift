import Domain
import JSON
import ProviderKit

/// What an account does not have or may not do, as its console or the vendor decides. Members of `Settings`.
/// Nothing is restricted by default. Source: contract 13.1, 13.2 and 13.4.
struct Restrictions: Equatable, Sendable {
  enum AccountType: String, CaseIterable, Sendable {
    case full
    /// Sends to verified numbers only: error 21608.
    case trial
    /// Cannot use Verify: error 575001.
    case trialWithoutVerify
  }

  /// Something that the vendor asks for. A creation that needs it gets the error.
  enum Setup: String, CaseIterable, Sendable {
    /// Error 60217.
    case mailer
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

  /// True if a creation can be refused.
  var affectCreations: Bool {
    accountType != .full || !disabledChannels.isEmpty || !blockedCountries.isEmpty || !blockedPrefixes.isEmpty
      || !blockedNumbers.isEmpty || !blockedSignups.isEmpty || !missingSetup.isEmpty
      || !restrictedWords.isEmpty || concurrencyWindow > .zero || sendsPerDay != nil
  }

  static let fields: [Field<Settings>] = [
    .field(
      "accountType", \.restrictions.accountType, .word, default: .full,
      "The kind of account. A trial sends to verifiedNumbers only (21608); trialWithoutVerify gets 575001."),
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
      "Numbers, or beginnings of them, that the vendor blocks: error 60238, unless the SafeList has the number."
    ),
    .field(
      "blockedSignups", \.restrictions.blockedSignups, .prefixes, default: [],
      "Numbers, or beginnings of them, that Fraudulent Signup Prevention blocks: error 60412."),
    .field(
      "missingSetup", \.restrictions.missingSetup, .distinctWords(), default: [],
      "What the account lacks: mailer (60217), chinaUseCase (60220), chinaFriendlyName (60226), whatsappTemplate "
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

/// Refusing creations.
extension RequestContext {
  /// The order is chosen here: the account, the channel, the destination, then what was sent before.
  func rejectRestricted(_ form: VerificationForm) throws {
    guard settings.restrictions.affectCreations else { return }
    let restrictions = settings.restrictions
    let number = PhoneNumber(form.to)
    try rejectAccount(restrictions, number)
    if restrictions.disabledChannels.contains(form.channel.twilioName) {
      throw APIError.channelDisabled(form.channel.twilioName)
        .because("the setting disabledChannels has \(form.channel.twilioName)")
    }
    try rejectMissingSetup(restrictions.missingSetup, form, number)
    try reject(form.customFriendlyName, "CustomFriendlyName")
    if let number { try rejectBlocked(number, restrictions, form) }
    if restrictions.concurrencyWindow > .zero,
      let last = try sandbox.verifications.latest(claim(to: form.to))?.attempts.all.last?.sentAt,
      last <= sandbox.clock.now, sandbox.clock.now < last + restrictions.concurrencyWindow
    {
      throw APIError(code: 60212).because("within concurrencyWindowMs of the last send, \(last.iso8601Exact)")
    }
    if let limit = restrictions.sendsPerDay,
      try limit == 0 || HitCount.end(of: Self.day, in: sendsOfAccount, max: limit, sandbox) != nil
    {
      throw APIError(code: 60245).because("the setting sendsPerDay is \(limit)")
    }
  }

  /// Counts a message, if the account has a limit.
  func countSend() throws {
    guard settings.restrictions.sendsPerDay != nil else { return }
    try HitCount.add(Self.day, in: sendsOfAccount, interval: 86_400, sandbox)
  }

  private static var day: String { "day" }
  private var sendsOfAccount: String { "sends of \(caller.account)" }

  /// Fails with 60248 if a name has a restricted word.
  func reject(_ name: String?, _ parameter: String) throws(APIError) {
    guard let name = name?.lowercased(),
      let word = settings.restrictions.restrictedWords.first(where: { name.contains($0.lowercased()) })
    else { return }
    throw APIError(code: 60248).because("\(parameter): the setting restrictedWords has \(word)")
  }

  private func rejectAccount(_ restrictions: Restrictions, _ number: PhoneNumber?) throws(APIError) {
    switch restrictions.accountType {
    case .full: break
    case .trial:
      guard let number, !restrictions.verifiedNumbers.contains(number.description) else { break }
      throw APIError(code: 21608).because("the setting verifiedNumbers does not have \(number)")
    case .trialWithoutVerify:
      throw APIError(code: 575001).because("the setting accountType is trialWithoutVerify")
    }
  }

  private func rejectMissingSetup(
    _ missing: [Restrictions.Setup], _ form: VerificationForm, _ number: PhoneNumber?
  ) throws(APIError) {
    let country = number.flatMap(\.country)
    let isNeeded: (Restrictions.Setup) -> Bool = { [service] setup in
      switch setup {
      case .mailer: form.channel == .email
      case .chinaUseCase: country == "CN"
      case .chinaFriendlyName: country == "CN" && form.customFriendlyName == nil
      case .whatsappTemplate: form.channel == .whatsapp
      case .customMessages: form.customMessage != nil
      case .australianSender: country == "AU" && form.channel == .sms
      case .whatsappSender: form.channel == .whatsapp && service.whatsappMsgServiceSid == nil
      }
    }
    guard let setup = missing.first(where: isNeeded) else { return }
    throw APIError(code: setup.errorCode).because("the setting missingSetup has \(setup.rawValue)")
  }

  private func rejectBlocked(
    _ number: PhoneNumber, _ restrictions: Restrictions, _ form: VerificationForm
  ) throws {
    let channel = form.channel.twilioName
    if let country = number.country, restrictions.blockedCountries.contains(country) {
      throw APIError.countryBlocked(country, channel).because("the setting blockedCountries has \(country)")
    }
    if let prefix = number.prefix(in: restrictions.blockedSignups) {
      throw APIError(code: 60412).because("the setting blockedSignups has \(prefix)")
    }
    let (fraud, blocked) = (
      number.prefix(in: restrictions.blockedPrefixes), number.prefix(in: restrictions.blockedNumbers)
    )
    guard fraud != nil || blocked != nil, form.hasRiskCheck,
      try !SafeNumber.covers(number, of: caller.account, in: sandbox)
    else { return }
    if let fraud {
      throw APIError.fraudBlocked(fraud, channel).because("the setting blockedPrefixes has \(fraud)")
    }
    throw APIError(code: 60238).because("the setting blockedNumbers has \(blocked ?? "")")
  }
}

extension PhoneNumber {
  /// The first of these texts that the number begins with.
  fileprivate func prefix(in prefixes: [String]) -> String? {
    prefixes.first { description.hasPrefix($0) }
  }
}

extension Restrictions.Setup {
  fileprivate var errorCode: Int {
    switch self {
    case .mailer: 60217
    case .chinaUseCase: 60220
    case .chinaFriendlyName: 60226
    case .whatsappTemplate: 60242
    case .customMessages: 60243
    case .australianSender: 60250
    case .whatsappSender: 68008
    }
  }
}
