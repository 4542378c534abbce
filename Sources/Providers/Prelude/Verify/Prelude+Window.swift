import Domain
import JSON

extension Prelude {
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
      codeSize = try fields.int("codeSize")
      isTest = try fields.optionalBool("test") ?? false
      list = try fields.optionalString("list").flatMap(NumberList.init)
      signals = try fields.members("signals")
      dispatchID = try fields.optionalString("dispatchId")
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
        json.member("codeSize", codeSize)
        if isTest { json.member("test", true) }
        if let list { json.member("list", list.rawValue) }
        if !signals.isEmpty { json.member("signals", JSON.object(signals)) }
        if let dispatchID { json.member("dispatchId", dispatchID) }
        if !checks.isEmpty { json.array("checks", checks) { json, check in check.write(to: &json) } }
      }
      return String(decoding: bytes, as: UTF8.self)
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
}

extension Prelude.Window.Check {
  fileprivate init(_ fields: Fields) throws {
    at = Timestamp(milliseconds: Int64(try fields.int("at")))
    value = try fields.string("value")
    isValid = try fields.bool("valid")
    detail = try fields.optionalString("detail")
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.value { json in
      json.member("at", at.milliseconds)
      json.member("value", value)
      json.member("valid", isValid)
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
