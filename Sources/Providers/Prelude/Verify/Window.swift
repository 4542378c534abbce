import Domain
import JSON
import ProviderKit

/// What the vendor keeps with a verification beyond what the core knows. Source: contract 3, 4.2 and 5.
struct Window {
  /// The status that its first creation was answered with.
  var status = "success"
  /// What came of it on purpose.
  var outcome = Outcome.success
  /// Why nothing was sent, or would not have been.
  var reason: BlockReason?
  /// The caller's own id; the newest given.
  var correlationID: String?
  /// Where webhooks go; the newest given.
  var callbackURL: String?
  /// The template of its messages.
  var templateID: String?
  /// What came for the template.
  var variables: [JSON.Member] = []
  /// The channels that it may use; nil: all of the region's.
  var channels: [String]?
  /// The channel that was asked for last; it is tried first.
  var preferredChannel: String?
  /// Whom its newest message is from; nil: the vendor's own sender.
  var senderID: String?
  /// How many attempts may follow by themselves on each that somebody asks for.
  var fallbacks = 0
  /// The attempts that followed by themselves, by number.
  var automatic: [Int] = []
  /// Whether the caller has brought the newest code.
  var hasCustomCode = false
  /// Digits of its codes.
  var codeSize = 6
  /// Whether the number is a test number, to which nothing is sent.
  var isTest = false
  /// The account's list that the number was on.
  var list: NumberList?
  /// What the request said of the device.
  var signals: [JSON.Member] = []
  /// The dispatch that the device made.
  var dispatchID: String?
  /// When the device told of itself in that dispatch; nil: it did not.
  var signalsAt: Timestamp?
  /// Codes that were held against it, oldest first.
  var checks: [Check] = []

  /// A code that was held against it.
  struct Check {
    /// When.
    let at: Timestamp
    /// The code.
    let value: String
    /// Whether it was right.
    let isValid: Bool
    /// What was paid with it.
    var payment: Payment?
    /// Why a right one did not do, or a wrong one was not even looked at. Source: contract 5.
    var detail: String?
  }

  /// A window as its first creation makes it.
  init() {}

  /// Reads what `encoded` wrote.
  init(_ text: String) throws {
    let fields = try Fields(Array(text.utf8))
    status = try fields.string("status")
    outcome = try fields.optionalString("outcome").flatMap(Outcome.init) ?? .success
    reason = try fields.optionalString("reason").flatMap(BlockReason.init)
    correlationID = try fields.optionalString("correlationId")
    callbackURL = try fields.optionalString("callbackUrl")
    templateID = try fields.optionalString("templateId")
    variables = try fields.members("variables")
    channels = try fields.optionalStrings("channels")
    preferredChannel = try fields.optionalString("preferredChannel")
    senderID = try fields.optionalString("senderId")
    fallbacks = try fields.optionalInt("fallbacks") ?? 0
    automatic = try (fields.optionalStrings("automatic") ?? []).compactMap { Int($0) }
    hasCustomCode = try fields.optionalBool("customCode") ?? false
    codeSize = try fields.int("codeSize")
    isTest = try fields.optionalBool("test") ?? false
    list = try fields.optionalString("list").flatMap(NumberList.init)
    signals = try fields.members("signals")
    dispatchID = try fields.optionalString("dispatchId")
    signalsAt = try fields.optionalInt("signalsAt").map { Timestamp(milliseconds: Int64($0)) }
    checks = try (fields.optionalObjects("checks") ?? []).map(Check.init)
  }

  /// As the core keeps it.
  var encoded: String {
    let bytes = JSONWriter.object { json in
      json.member("status", status)
      if outcome != .success { json.member("outcome", outcome.rawValue) }
      if let reason { json.member("reason", reason.rawValue) }
      if let correlationID { json.member("correlationId", correlationID) }
      if let callbackURL { json.member("callbackUrl", callbackURL) }
      if let templateID { json.member("templateId", templateID) }
      if !variables.isEmpty { json.member("variables", JSON.object(variables)) }
      if let channels { json.member("channels", channels) }
      if let preferredChannel { json.member("preferredChannel", preferredChannel) }
      if let senderID { json.member("senderId", senderID) }
      if fallbacks > 0 { json.member("fallbacks", fallbacks) }
      if !automatic.isEmpty { json.member("automatic", automatic.map(String.init)) }
      if hasCustomCode { json.member("customCode", true) }
      json.member("codeSize", codeSize)
      if isTest { json.member("test", true) }
      if let list { json.member("list", list.rawValue) }
      if !signals.isEmpty { json.member("signals", JSON.object(signals)) }
      if let dispatchID { json.member("dispatchId", dispatchID) }
      if let signalsAt { json.member("signalsAt", signalsAt.milliseconds) }
      if !checks.isEmpty { json.array("checks", checks) { json, check in check.write(to: &json) } }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether an attempt may follow by itself on that of a number.
  func mayFallBack(after number: Int) -> Bool {
    let run = (1...number).reversed().prefix { automatic.contains($0) }
    return run.count < fallbacks
  }

  /// The text of a member of `variables` or `signals`.
  static func text(_ name: String, in members: [JSON.Member]) -> String? {
    guard case .string(let text)? = members.first(where: { $0.name == name })?.value else { return nil }
    return text
  }

  /// Writes `metadata` where the caller gave some.
  func writeMetadata(to json: inout JSONWriter) {
    guard let correlationID else { return }
    json.object("metadata") { $0.member("correlation_id", correlationID) }
  }
}

extension Window.Check {
  fileprivate init(_ fields: Fields) throws {
    at = Timestamp(milliseconds: Int64(try fields.int("at")))
    value = try fields.string("value")
    isValid = try fields.bool("valid")
    payment = try fields.optionalObject("payment").map { try Payment($0) }
    detail = try fields.optionalString("detail")
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.value { json in
      json.member("at", at.milliseconds)
      json.member("value", value)
      json.member("valid", isValid)
      if let payment { json.object("payment") { payment.write(to: &$0) } }
      if let detail { json.member("detail", detail) }
    }
  }
}

extension Fields {
  /// The members of an object; none where there is no such member.
  fileprivate func members(_ name: String) throws(FieldError) -> [JSON.Member] {
    guard case .object(let members)? = try optionalJSON(name) else { return [] }
    return members
  }
}
