import Domain
import HTTP
import JSON
import ProviderKit

/// Settings of a sandbox where sources about the live service conflict, or tests want other limits.
/// Source: contract 17; the defaults reproduce the live service.
struct Settings: Equatable {
  /// Scheme and authority of links; nil: as the client reached us.
  var publicBaseURL: String?
  /// The status of an answered check: 200, or 201 as the vendor's OpenAPI file has it.
  var checkStatusCode = 200
  /// What stands before `/Services` in the text of 20404: `/v2`, or nothing as before September 2025.
  var notFoundPathStyle = "/v2/Services/..."
  /// How long a verification waits, in seconds.
  var ttlSeconds = 600
  /// Checks and sendings allowed, and the seconds in which sendings are counted.
  var maxChecks = 5
  var maxSends = 5
  var sendWindowSeconds = 600
  /// `error60204` or `ignore`: a custom code for a service that has them off.
  var customCodeWhenDisabled = "error60204"
  /// `20404` or `60200`: a check for a destination that nothing waits for.
  var checkWithoutPending = "20404"
  /// `readable` or `deleted`: a verification that was checked too often.
  var fetchAfterMaxAttempts = "readable"
  /// `lower` or `upper`: the channel in `send_code_attempts`.
  var attemptChannelCase = "lower"
  /// `carrierNull` or `empty`: `lookup` of a service that has it off.
  var lookupWhenDisabled = "carrierNull"

  /// Changes what `fields` name, and leaves the rest.
  mutating func merge(_ fields: Fields) throws(FieldError) {
    publicBaseURL = try fields.baseURL("publicBaseURL") ?? publicBaseURL
    checkStatusCode = try fields.number("checkStatusCode", 200...201) ?? checkStatusCode
    notFoundPathStyle =
      try fields.word("notFoundPathStyle", ["/v2/Services/...", "/Services/..."]) ?? notFoundPathStyle
    ttlSeconds = try fields.number("ttlSeconds", 120...86_400) ?? ttlSeconds
    maxChecks = try fields.number("maxChecks", 1...1_000_000) ?? maxChecks
    maxSends = try fields.number("maxSends", 1...1_000_000) ?? maxSends
    sendWindowSeconds = try fields.number("sendWindowSeconds", 1...86_400) ?? sendWindowSeconds
    customCodeWhenDisabled =
      try fields.word("customCodeWhenDisabled", ["error60204", "ignore"]) ?? customCodeWhenDisabled
    checkWithoutPending = try fields.word("checkWithoutPending", ["20404", "60200"]) ?? checkWithoutPending
    fetchAfterMaxAttempts =
      try fields.word("fetchAfterMaxAttempts", ["readable", "deleted"]) ?? fetchAfterMaxAttempts
    attemptChannelCase = try fields.word("attemptChannelCase", ["lower", "upper"]) ?? attemptChannelCase
    lookupWhenDisabled =
      try fields.word("lookupWhenDisabled", ["carrierNull", "empty"]) ?? lookupWhenDisabled
  }

  /// Writes all of them, as seeds have them.
  func write(to json: inout JSONWriter) {
    json.member("publicBaseURL", publicBaseURL)
    json.member("checkStatusCode", checkStatusCode)
    json.member("notFoundPathStyle", notFoundPathStyle)
    json.member("ttlSeconds", ttlSeconds)
    json.member("maxChecks", maxChecks)
    json.member("maxSends", maxSends)
    json.member("sendWindowSeconds", sendWindowSeconds)
    json.member("customCodeWhenDisabled", customCodeWhenDisabled)
    json.member("checkWithoutPending", checkWithoutPending)
    json.member("fetchAfterMaxAttempts", fetchAfterMaxAttempts)
    json.member("attemptChannelCase", attemptChannelCase)
    json.member("lookupWhenDisabled", lookupWhenDisabled)
  }

  /// The settings of a sandbox.
  static func current(in sandbox: Sandbox) throws -> Settings { try shared(in: sandbox).value }

  /// The settings of a sandbox as requests share them.
  static func shared(in sandbox: Sandbox) throws -> Shared<Settings> {
    try sandbox.records.read(key, in: section) { item in
      var settings = Settings()
      try settings.merge(Fields(Array(item.record.utf8)))
      return settings
    } ?? usual
  }

  private static let usual = Shared(Settings())

  /// Keeps them for a sandbox.
  func keep(in sandbox: Sandbox) throws {
    try sandbox.records.save(
      JSONWriter.object { write(to: &$0) }, under: Self.key, of: "", in: Self.section)
  }

  /// The rules of verifications that follow from them.
  func rules(codeLength: Int) -> VerificationRules {
    var rules = VerificationRules()
    rules.codeLength = codeLength
    rules.lifetime = .seconds(ttlSeconds)
    rules.checkLimit = maxChecks
    rules.sendLimit = maxSends
    rules.sendWindow = .seconds(sendWindowSeconds)
    return rules
  }

  /// Scheme and authority of links: as the client reached us, unless it is set.
  func base(of request: Request) -> String { publicBaseURL ?? request.base }

  /// A path as the text of 20404 shows it.
  func shown(_ path: String) -> String {
    notFoundPathStyle == "/Services/..." && path.hasPrefix("/v2/") ? String(path.dropFirst(3)) : path
  }

  private static let section = RecordStore.Section(provider: TwilioProvider.name, kind: "settings")
  private static let key = "settings"
}

extension Fields {
  /// Scheme and authority, where there are some; links go on with a path.
  fileprivate func baseURL(_ name: String) throws(FieldError) -> String? {
    guard let text = try optionalString(name) else { return nil }
    let authority = ["https://", "http://"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
    guard let authority, !authority.isEmpty, !authority.hasSuffix("/") else {
      throw mismatch(name, expected: "a URL such as https://verify.twilio.com, without a slash at its end")
    }
    return text
  }
}
