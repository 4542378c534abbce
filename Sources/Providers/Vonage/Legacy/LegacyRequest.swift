import ProviderKit

/// What is stored with a verification of Verify legacy, as its details. Source: contract 9.
struct LegacyRequest: VerificationRecord {
  /// A code that was entered.
  struct Check: Equatable {
    var at: Timestamp
    var code = ""
    var isValid = false

    static let schema = Schema<Check>(
      nil, "",
      [
        .required("at", \.at, .preciseTimestamp), .required("code", \.code, .string),
        .field("isValid", \.isValid, .boolean, default: false),
      ])
  }

  var brand = ""
  /// Of a payment; then `brand` gets it.
  var amount: String?
  var sender = "VERIFY"
  var locale = "en-us"
  var codeLength = 4
  var customCode: String?
  /// How long a code is valid, in seconds.
  var expiry = LegacyWorkflow.defaultExpiry
  /// When the newest code was chosen.
  var codeAt: Timestamp
  var checks: [Check] = []

  init(at time: Timestamp) { codeAt = time }

  private static let schema = Schema<LegacyRequest>(
    nil, "",
    [
      .required("brand", \.brand, .string),
      .optional("amount", \.amount, .string),
      .required("sender", \.sender, .string),
      .required("locale", \.locale, .string),
      .required("codeLength", \.codeLength, .integer(4...10)),
      .optional("customCode", \.customCode, .string),
      .required("expiry", \.expiry, .count),
      .required("codeAt", \.codeAt, .preciseTimestamp),
      .required(
        "checks", \.checks,
        .objects(
          Check.schema, maxItems: checkLimit, from: { Check(at: Timestamp(milliseconds: 0)) })),
    ])

  /// How many checks the history keeps.
  static let checkLimit = 20

  /// Nil for a verification of another API.
  init?(of verification: Verification) throws {
    guard let record: Self = try verification.details.optionalRecord() else { return nil }
    self = record
  }

  init?(stored text: String) throws {
    let fields = try Fields(Array(text.utf8))
    guard fields.has("codeAt") else { return nil }
    self.init(at: Timestamp(milliseconds: 0))
    try Self.schema.merge(fields, into: &self)
  }

  var encoded: String {
    JSONWriter.text { Self.schema.write(self, to: &$0) }
  }

  /// Codes may have hyphens, as in the provider's example `AKFG-3424`.
  static func isCode(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
  }

  func hasValidCode(at time: Timestamp) -> Bool { time < codeAt + .seconds(expiry) }

  /// Sends the code; a new one if the old one has expired.
  func begin(_ step: Step, of verification: Verification, in sandbox: Sandbox) throws {
    var stored = self
    var code = verification.code
    let now = step.startedAt ?? sandbox.clock.now
    if !hasValidCode(at: now), customCode == nil {
      let subscriber = try PhoneNumber(verification.claim.destination).map { try sandbox.subscribers[$0] }
      code = sandbox.codes.code(
        for: verification.claim, series: verification.series, attempt: step.position, length: codeLength,
        subscriber: subscriber)
      try sandbox.verifications.replaceCode(of: verification, with: code)
    }
    if !hasValidCode(at: now) {
      stored.codeAt = now
      try sandbox.verifications.save(ProviderDetails(stored), with: verification)
    }
    var draft = MessageDraft(
      provider: VonageProvider.name, reference: LegacyID.of(verification, in: sandbox),
      channel: step.channel, destination: verification.claim.destination, sender: sender,
      text: text(with: code), code: code)
    draft.speech.language = Language(ofTag: locale).tag
    draft.speech.repeats = 2
    try sandbox.fallbacks.send(
      draft, in: step, of: verification, rules: Settings.current(in: sandbox).verificationRules,
      fallsBackOnLoss: false)
  }

  private func text(with code: String) -> String {
    guard let amount else { return Language(ofTag: locale).message(from: brand, code: code) }
    return "Code \(code) to pay \(amount) to \(brand)."
  }
}
