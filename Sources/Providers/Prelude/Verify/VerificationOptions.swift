import ProviderKit

/// The member `options` of a creation. Source: contract 3.2.
struct VerificationOptions {
  enum Method: String, CaseIterable {
    case auto, voice, message
  }

  let callbackURL: String?
  let channels: [MessageChannel]?
  let preferredChannel: MessageChannel?
  let codeSize: Int?
  let customCode: String?
  let forcesChallenge: Bool
  let locale: String?
  let maxAutoFallbacks: Int?
  let method: Method
  let senderID: String?
  let templateID: String?
  let variables: [JSON.Member]
  /// Nil until `validate` accepts it.
  var appRealm: AppRealm? { appRealmJSON.flatMap(AppRealm.init) }
  private let appRealmJSON: JSON?
  private let integration: JSON?

  /// Validates the types of the members. `validate` does the rest.
  init(_ fields: Fields?) throws {
    appRealmJSON = try fields?.optionalJSON("app_realm")
    callbackURL = try fields?.optionalString("callback_url")
    channels = try fields?.optionalStrings("channels")?.map(Self.channel)
    if let channels, !(1...MessageChannel.allCases.count).contains(channels.count) {
      throw APIError.invalid("options.channels", expected: "1 to \(MessageChannel.allCases.count) channels")
    }
    codeSize = try fields?.optionalInt("code_size")
    customCode = try fields?.optionalString("custom_code")
    forcesChallenge = try fields?.optionalBool("force_challenge") ?? false
    integration = try fields?.optionalJSON("integration")
    locale = try fields?.optionalString("locale")
    maxAutoFallbacks = try fields?.optionalInt("max_auto_fallbacks")
    if let maxAutoFallbacks, maxAutoFallbacks < 0 {
      throw APIError.invalid("options.max_auto_fallbacks", expected: "0 or more")
    }
    method = try fields?.optionalWord("method", of: Method.self) ?? .auto
    preferredChannel = try fields?.optionalWord("preferred_channel", of: MessageChannel.self)
    senderID = try fields?.optionalString("sender_id")
    templateID = try fields?.optionalString("template_id")
    variables = try Self.variables(fields?.optionalJSON("variables"))
  }

  /// Rejects options that exclude each other, then invalid values. Source: contract 11.3, 4 and 5.
  func validate() throws(APIError) {
    if codeSize != nil, customCode != nil {
      throw APIError(.customSizeConflict, param: "options.custom_code")
    }
    if channels != nil, preferredChannel != nil {
      throw APIError(.channelsConflict, param: "options.preferred_channel")
    }
    try validateAppRealm()
    try Validation.checkCallbackURL(callbackURL, param: "options.callback_url")
    if let codeSize, !(4...8).contains(codeSize) {
      throw APIError(.invalidCodeSize, param: "options.code_size")
    }
    if let customCode, !Validation.isDigits(customCode, 4...8) {
      throw APIError(.invalidCustomCode, param: "options.custom_code")
    }
    if let integration, case .string = integration {
    } else if integration != nil {
      throw APIError(
        .invalidIntegration, "integration has to be a string", param: "options.integration")
    }
    if let locale, !LanguageTag.isValid(locale) {
      throw APIError(.invalidLocale, param: "options.locale")
    }
  }

  private func validateAppRealm() throws(APIError) {
    guard let appRealmJSON else { return }
    guard case .string(let platform) = appRealmJSON["platform"], case .string = appRealmJSON["value"] else {
      throw APIError(.invalidAppRealm, param: "options.app_realm")
    }
    guard AppRealm.Platform(rawValue: platform) != nil else {
      throw APIError(.invalidAppRealmPlatform, param: "options.app_realm.platform")
    }
    guard appRealm != nil else {
      throw APIError(.invalidAppRealmValue, param: "options.app_realm.value")
    }
  }

  private static func channel(_ word: String) throws(APIError) -> MessageChannel {
    guard let channel = MessageChannel(rawValue: word) else {
      throw .invalid("options.channels", expected: "some of \(MessageChannel.words), not \(word)")
    }
    return channel
  }

  private static func variables(_ json: JSON?) throws(APIError) -> [JSON.Member] {
    guard let json else { return [] }
    guard case .object(let members) = json,
      members.allSatisfy({ if case .string = $0.value { true } else { false } })
    else { throw APIError.invalid("options.variables", expected: "an object of strings") }
    return members
  }
}

extension VerificationOptions {
  /// Requires that the account has what they name: an approved sender, and a known template with its
  /// variables. Source: contract 3.2 and 11.2.
  func requireKnownNames(in context: RequestContext) throws {
    if let sender = senderID, try !SenderID.isApproved(sender, in: context.sandbox) {
      throw APIError(.invalidSenderID, param: "options.sender_id")
        .because("\(sender) is not approved for the account")
    }
    guard let template = templateID else { return }
    if template == Payment.templateID {
      guard Payment(variables) == nil else { return }
      throw APIError(.invalidTemplateVariables, param: "options.variables")
        .because("the template needs amount, currency and recipient")
    }
    let isKnown = try Template.find(template, in: context.sandbox) != nil
    guard isKnown || context.settings.templates == .open && Template.isValidID(template) else {
      throw APIError(.invalidTemplateID, param: "options.template_id")
    }
  }

  /// Rejects options for features that the account does not have. Source: contract 3.2 and 11.3, 6.
  func requireEnabled(_ settings: Settings) throws(APIError) {
    if customCode != nil, !settings.customCodes {
      throw APIError(.customCodeNotAllowed, param: "options.custom_code")
    }
    if forcesChallenge, !settings.forceChallenge {
      throw APIError(
        .forbidden, "challenges are not enabled for the account", param: "options.force_challenge")
    }
    for channel in channels ?? [] where !settings.channels.contains(channel) {
      throw APIError(.channelNotEnabled, param: "options.channels")
        .because("the setting channels does not have \(channel.rawValue)")
    }
  }
}
