import Domain
import JSON
import ProviderKit

/// How a verification is to be done. Source: contract 3.2.
struct OptionsForm {
  /// The way that the caller asks for.
  enum Method: String, CaseIterable {
    case auto, voice, message
  }

  let callbackURL: String?
  let channels: [String]?
  let preferredChannel: String?
  let codeSize: Int?
  let customCode: String?
  let forcesChallenge: Bool
  let locale: String?
  let maxAutoFallbacks: Int?
  let method: Method
  let senderID: String?
  let templateID: String?
  let variables: [JSON.Member]
  private let appRealm: JSON?
  private let integration: JSON?

  /// Reads the member `options` of a body; of each member only the type is looked at.
  init(_ fields: Fields?) throws {
    appRealm = try fields?.optionalJSON("app_realm")
    callbackURL = try fields?.optionalString("callback_url")
    channels = try fields?.optionalStrings("channels")
    for channel in channels ?? [] where !Self.channelWords.contains(channel) {
      throw Self.unknownChannel("channels", channel)
    }
    codeSize = try fields?.optionalInt("code_size")
    customCode = try fields?.optionalString("custom_code")
    forcesChallenge = try fields?.optionalBool("force_challenge") ?? false
    integration = try fields?.optionalJSON("integration")
    locale = try fields?.optionalString("locale")
    maxAutoFallbacks = try fields?.optionalInt("max_auto_fallbacks")
    if let maxAutoFallbacks, maxAutoFallbacks < 0 {
      throw Problem.invalid("options.max_auto_fallbacks", expected: "0 or more")
    }
    method = try fields?.optionalWord("method", of: Method.self) ?? .auto
    preferredChannel = try fields?.word("preferred_channel", Self.channelWords)
    senderID = try fields?.optionalString("sender_id")
    templateID = try fields?.optionalString("template_id")
    variables = try Self.variables(fields?.optionalJSON("variables"))
  }

  /// Refuses options that exclude each other, then values that cannot be. Source: contract 11.3, 4 and 5.
  func validate() throws(Problem) {
    if codeSize != nil, customCode != nil {
      throw Problem(.customSizeConflict, param: "options.custom_code")
    }
    if channels != nil, preferredChannel != nil {
      throw Problem(.channelsConflict, param: "options.preferred_channel")
    }
    try validateAppRealm()
    try checkCallback(callbackURL, at: "options.callback_url")
    if let codeSize, !(4...8).contains(codeSize) { throw Problem(.invalidCodeSize, nil, "code_size") }
    if let customCode, !isDigits(customCode, 4...8) {
      throw Problem(.invalidCustomCode, nil, "custom_code")
    }
    if let integration, case .string = integration {
    } else if integration != nil {
      throw Problem(.invalidIntegration, "integration has to be a string", "integration")
    }
    if let locale, !isLanguageTag(locale) {
      throw Problem(.invalidLocale, "locale has to be a language tag (BCP 47)", "locale")
    }
  }

  private func validateAppRealm() throws(Problem) {
    guard let appRealm else { return }
    guard case .string(let platform) = appRealm["platform"], case .string(let value) = appRealm["value"]
    else { throw Problem(.invalidAppRealm, "app_realm has to have platform and value", "app_realm") }
    guard platform == "android" || platform == "web" else {
      throw Problem(
        .invalidAppRealmPlatform, "app_realm.platform has to be android or web", "app_realm.platform")
    }
    let isHash = value.utf8.count == 11 && value.utf8.allSatisfy(Self.isBase64)
    let isDomain = value.contains(".") && value.utf8.allSatisfy(Self.isOfDomain)
    guard platform == "android" ? isHash : isDomain else {
      throw Problem(
        .invalidAppRealmValue, "app_realm.value has to be a hash of 11 characters, or a domain",
        "app_realm.value")
    }
  }

  /// The channels that can be asked for, in the vendor's words.
  static let channelWords = ["sms", "rcs", "whatsapp", "viber", "zalo", "telegram"]

  private static func unknownChannel(_ name: String, _ found: String) -> Problem {
    Problem.invalid(
      "options.\(name)", expected: "some of \(channelWords.joined(separator: ", ")), not \(found)")
  }

  private static func variables(_ json: JSON?) throws(Problem) -> [JSON.Member] {
    guard let json else { return [] }
    guard case .object(let members) = json,
      members.allSatisfy({ if case .string = $0.value { true } else { false } })
    else { throw Problem.invalid("options.variables", expected: "an object of strings") }
    return members
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
  }

  private static func isOfDomain(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }
}

extension Problem {
  /// The refusal of an option.
  fileprivate init(_ code: Code, _ message: String?, _ option: String) {
    self.init(code, message, param: "options.\(option)")
  }
}
