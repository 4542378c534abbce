import ProviderKit

/// What the provider stores with a verification, as the JSON object `Verification.details`.
/// Source: contract 3, 4.2 and 5.
struct StoredVerification: VerificationRecord {
  /// The status in responses to creations.
  enum Status: String {
    case success
    case retry
    case challenged
    case blocked
    case shadowBlocked = "shadow_blocked"
  }

  /// A code that somebody checked.
  struct Check: Equatable {
    let at: Timestamp
    let value: String
    let isValid: Bool
    var payment: Payment?
    /// Why a valid code failed, or why a code was not evaluated. Source: contract 5.
    var detail: CheckDetail?
  }

  /// What the first creation answered; later ones answer `retry`.
  var status = Status.success
  var scenario = TestScenario.success
  /// Why nothing was sent, or why the verification is shadow blocked.
  var reason: BlockReason?
  /// From the newest request that named one.
  var correlationID: String?
  /// From the newest request that named one.
  var callbackURL: String?
  var templateID: String?
  var variables: [JSON.Member] = []
  /// The channels that the caller chose; nil: all of the region.
  var channels: [MessageChannel]?
  /// From the newest request that named one. It is used first.
  var preferredChannel: MessageChannel?
  /// The sender of the newest message; nil: the provider's own sender.
  var senderID: String?
  /// The language tag of the newest message.
  var locale: String?
  /// Which app or page reads the newest message.
  var appRealm: AppRealm?
  /// How many automatic retries may follow each attempt that the caller asked for.
  var fallbacks = 0
  /// The numbers of the attempts that were automatic retries.
  var automaticAttempts: [Int] = []
  /// True if the caller chose the newest code.
  var hasCustomCode = false
  var codeSize = 6
  /// True for test numbers, to which nothing is sent.
  var isTest = false
  /// The list that the number was on.
  var list: NumberList?
  /// What is known about the device, by the names of request members.
  var signals: [JSON.Member] = []
  var dispatchID: String?
  /// When the payload of the dispatch arrived; nil: it had not arrived.
  var signalsAt: Timestamp?
  /// Oldest first.
  var checks: [Check] = []

  init() {}

  init(of verification: Verification) throws {
    self = try verification.details.record()
  }

  init?(stored text: String) throws {
    let fields = try Fields(Array(text.utf8))
    status = Status(rawValue: try fields.string("status")) ?? .success
    scenario = try fields.optionalString("outcome").flatMap(TestScenario.init) ?? .success
    reason = try fields.optionalString("reason").flatMap(BlockReason.init)
    correlationID = try fields.optionalString("correlationId")
    callbackURL = try fields.optionalString("callbackUrl")
    templateID = try fields.optionalString("templateId")
    variables = try fields.members("variables")
    channels = try fields.optionalStrings("channels")?.compactMap(MessageChannel.init)
    preferredChannel = try fields.optionalString("preferredChannel").flatMap(MessageChannel.init)
    senderID = try fields.optionalString("senderId")
    locale = try fields.optionalString("locale")
    appRealm = try fields.optionalJSON("appRealm").flatMap(AppRealm.init)
    fallbacks = try fields.optionalInt("fallbacks") ?? 0
    automaticAttempts = try (fields.optionalStrings("automatic") ?? []).compactMap { Int($0) }
    hasCustomCode = try fields.optionalBool("customCode") ?? false
    codeSize = try fields.value("codeSize", .integer(4...8))
    isTest = try fields.optionalBool("test") ?? false
    list = try fields.optionalString("list").flatMap(NumberList.init)
    signals = try fields.members("signals")
    dispatchID = try fields.optionalString("dispatchId")
    signalsAt = try fields.optionalInt("signalsAt").map { Timestamp(milliseconds: Int64($0)) }
    checks = try (fields.optionalObjects("checks", atMost: .max) ?? []).map(Check.init)
  }

  var encoded: String {
    return JSONWriter.text { json in
      json.member("status", status.rawValue)
      if scenario != .success { json.member("outcome", scenario.rawValue) }
      if let reason { json.member("reason", reason.rawValue) }
      if let correlationID { json.member("correlationId", correlationID) }
      if let callbackURL { json.member("callbackUrl", callbackURL) }
      if let templateID { json.member("templateId", templateID) }
      if !variables.isEmpty { json.member("variables", JSON.object(variables)) }
      if let channels { json.member("channels", channels.map(\.rawValue)) }
      if let preferredChannel { json.member("preferredChannel", preferredChannel.rawValue) }
      if let senderID { json.member("senderId", senderID) }
      if let locale { json.member("locale", locale) }
      if let appRealm { json.object("appRealm") { appRealm.write(to: &$0) } }
      if fallbacks > 0 { json.member("fallbacks", fallbacks) }
      if !automaticAttempts.isEmpty { json.member("automatic", automaticAttempts.map(String.init)) }
      if hasCustomCode { json.member("customCode", true) }
      json.member("codeSize", codeSize)
      if isTest { json.member("test", true) }
      if let list { json.member("list", list.rawValue) }
      if !signals.isEmpty { json.member("signals", JSON.object(signals)) }
      if let dispatchID { json.member("dispatchId", dispatchID) }
      if let signalsAt { json.member("signalsAt", signalsAt.milliseconds) }
      if !checks.isEmpty { json.array("checks", checks) { json, check in check.write(to: &json) } }
    }
  }

  /// The text of a member of `variables` or `signals`.
  static func text(_ name: String, in members: [JSON.Member]) -> String? {
    guard case .string(let text)? = members.first(where: { $0.name == name })?.value else { return nil }
    return text
  }

  /// Writes `metadata` if the caller gave a correlation id.
  func writeMetadata(to json: inout JSONWriter) {
    guard let correlationID else { return }
    json.object("metadata") { $0.member("correlation_id", correlationID) }
  }
}

extension StoredVerification.Check {
  fileprivate init(_ fields: Fields) throws {
    at = try fields.timestamp("at")
    value = try fields.string("value")
    isValid = try fields.bool("valid")
    payment = try fields.optionalObject("payment").map { try Payment($0) }
    detail = try fields.optionalString("detail").flatMap(CheckDetail.init)
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.value { json in
      json.member("at", at.milliseconds)
      json.member("value", value)
      json.member("valid", isValid)
      if let payment { json.object("payment") { payment.write(to: &$0) } }
      if let detail { json.member("detail", detail.rawValue) }
    }
  }
}

extension Fields {
  fileprivate func members(_ name: String) throws(FieldError) -> [JSON.Member] {
    guard case .object(let members)? = try optionalJSON(name) else { return [] }
    return members
  }
}

/// A payment that is confirmed by a code, under PSD2. Source: contract 3.2 and 4.1.
struct Payment: Equatable {
  /// The built-in template for payments.
  static let templateID = "prelude:psd2"

  let amount: String
  let currency: String
  let recipient: String

  /// From the variables of the template; nil if one is missing.
  init?(_ variables: [JSON.Member]) {
    guard let amount = StoredVerification.text("amount", in: variables),
      let currency = StoredVerification.text("currency", in: variables),
      let recipient = StoredVerification.text("recipient", in: variables)
    else { return nil }
    self.amount = amount
    self.currency = currency
    self.recipient = recipient
  }

  /// From the object `psd2` of a check.
  init(_ fields: Fields) throws {
    amount = try fields.string("amount")
    currency = try fields.string("currency")
    recipient = try fields.string("recipient")
  }

  func write(to json: inout JSONWriter) {
    json.member("amount", amount)
    json.member("currency", currency)
    json.member("recipient", recipient)
  }
}
