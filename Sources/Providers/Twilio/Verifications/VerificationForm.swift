import ProviderKit

/// The form of a creation, each parameter valid by itself. Source: contract 4.1.
struct VerificationForm {
  /// A phone number, or an email address for channel `email`.
  let to: String
  /// `sms` for `auto`.
  let channel: Channel
  let isAuto: Bool
  /// Replaces the Service's name in the message.
  let customFriendlyName: String?
  let customCode: String?
  let amount: String?
  let payee: String?
  /// Lets an Android app read the code from the message.
  let appHash: String?
  /// What a call dials at a switchboard before it reads the code.
  let sendDigits: String?
  let customMessage: String?
  let emailSender: String?
  /// Names of rate limits, with the values to count. Source: contract 7.
  let rateLimits: [(name: String, value: String)]
  /// False if the app asks for no protection against fraud.
  let hasRiskCheck: Bool
  /// A language tag; nil: the number's country decides.
  let locale: String?
  /// In order of preference; empty: the Service's default.
  let templates: [TemplateEntry]
  /// Values for the Service's default template.
  let substitutions: [String: String]
  /// True if a check must repeat the token of the silent URL's answer.
  let needsClientToken: Bool

  init(_ form: Form) throws(APIError) {
    form.declare(Self.parameters)
    let word = form.text("Channel")?.lowercased()
    to = form.text("To") ?? ""
    guard word == "email" ? EmailAddress.isValid(to) : PhoneNumber(to) != nil else {
      throw .invalidParameter(
        "To", value: to, expected: word == "email" ? "an email address" : PhoneNumber.expected)
    }
    channel = try Self.channel(word)
    isAuto = word == "auto"
    customFriendlyName = form.text("CustomFriendlyName")
    customCode = form.text("CustomCode")
    amount = form.text("Amount")
    payee = form.text("Payee")
    appHash = form.text("AppHash")
    sendDigits = form.text("SendDigits")
    customMessage = form.text("CustomMessage")
    emailSender = try Self.emailSender(form)
    rateLimits = try Self.rateLimits(form)
    hasRiskCheck = form.text("RiskCheck") != "disable"
    locale = form.text("Locale")
    templates = try TemplateEntry.list(in: form, over: channel)
    substitutions = try TemplateEntry.substitutions(in: form)
    needsClientToken = form.text("EnableSnaClientToken").flatMap(Bool.init(flag:)) ?? false
    try checkChannelOptions()
    try Self.checkFormats(form)
  }

  private static func channel(_ word: String?) throws(APIError) -> Channel {
    switch word {
    case "sms", "auto": return .sms
    case "call": return .call
    case "email": return .email
    case "whatsapp": return .whatsapp
    case "rcs": return .rcs
    case "sna": return .silent
    default: throw .invalidParameter("Channel", expected: "sms, call, email, whatsapp, rcs, sna or auto")
    }
  }

  private func checkChannelOptions() throws(APIError) {
    if let sendDigits, !Self.areDialled(sendDigits) {
      throw .invalidParameter("SendDigits", expected: "at most 32 of 0 to 9, *, # and w")
    }
    if let customMessage, customMessage.count > MessageText.limit {
      throw APIError(code: 60247).because("CustomMessage: expected at most \(MessageText.limit) characters")
    }
    if let customCode, !(4...10).contains(customCode.count) {
      throw .invalidParameter("CustomCode", expected: "4 to 10 characters")
    }
    if let appHash {
      guard channel == .sms else { throw .appHashOnlyForSMS }
      guard appHash.utf8.count == 11 else { throw .invalidParameter("AppHash", expected: "11 characters") }
    }
    if let locale, !LanguageTag.isValid(locale, language: 2...3) {
      throw .invalidParameter("Locale", expected: "a language tag such as en or pt-BR")
    }
  }

  /// Checks the parameters that have no effect in the sandbox.
  private static func checkFormats(_ form: Form) throws(APIError) {
    if let check = form.text("RiskCheck"), check != "enable", check != "disable" {
      throw .invalidParameter("RiskCheck", expected: "enable or disable")
    }
    if let token = form.text("EnableSnaClientToken"), Bool(flag: token) == nil {
      throw .invalidParameter("EnableSnaClientToken", expected: "true or false")
    }
    if let address = form.text("DeviceIp"), !IPAddress.isValid(address) {
      throw .invalidParameter("DeviceIp", expected: "an IPv4 or IPv6 address")
    }
    if let text = form.text("Tags"), !areTags(text) {
      throw .invalidParameter(
        "Tags",
        expected: "a JSON object of at most 10 strings, with names and values of at most 128 characters")
    }
  }

  private static func rateLimits(_ form: Form) throws(APIError) -> [(name: String, value: String)] {
    guard let text = form.text("RateLimits") else { return [] }
    guard let members = parseObject(text) else {
      throw .invalidParameter("RateLimits", expected: "a JSON object")
    }
    var limits: [(name: String, value: String)] = []
    for member in members {
      guard let value = member.value.formText, value.utf8.count <= 256 else {
        throw .invalidParameter(
          "RateLimits", expected: "values of at most 256 bytes: strings, numbers, booleans")
      }
      limits.append((member.name, value))
    }
    return limits
  }

  /// Reads the email options. Source: contract 4.1.
  private static func emailSender(_ form: Form) throws(APIError) -> String? {
    guard let text = form.text("ChannelConfiguration") else { return nil }
    guard let members = parseObject(text) else {
      throw .invalidParameter("ChannelConfiguration", expected: "a JSON object")
    }
    var sender: String?
    for member in members {
      switch (member.name, member.value) {
      case ("from", .string(let address)):
        guard EmailAddress.isValid(address) else {
          throw .invalidParameter("ChannelConfiguration", expected: "an email address in from")
        }
        sender = address
      case ("from_name", .string), ("template_id", .string), ("substitutions", .object): break
      case ("from", _), ("from_name", _), ("template_id", _):
        throw .invalidParameter("ChannelConfiguration", expected: "a string in \(member.name)")
      case ("substitutions", _):
        throw .invalidParameter("ChannelConfiguration", expected: "an object in substitutions")
      default: break
      }
    }
    return sender
  }

  private static func areDialled(_ text: String) -> Bool {
    text.utf8.count <= 32 && text.utf8.allSatisfy { $0.isDigit || "*#wW".utf8.contains($0) }
  }

  private static let parameters = [
    "To", "Channel", "CustomFriendlyName", "CustomMessage", "SendDigits", "Locale", "CustomCode", "Amount",
    "Payee", "RateLimits", "ChannelConfiguration", "AppHash", "TemplateSid", "TemplateCustomSubstitutions",
    "Templates", "DeviceIp", "EnableSnaClientToken", "RiskCheck", "Tags",
  ]

  private static func parseObject(_ text: String) -> [JSON.Member]? {
    guard case .object(let members)? = try? JSON(parsing: Array(text.utf8)) else { return nil }
    return members
  }

  /// At most ten tags, names and values of at most 128 characters.
  private static func areTags(_ text: String) -> Bool {
    guard let members = parseObject(text), members.count <= 10 else { return false }
    return members.allSatisfy { member in
      guard case .string(let value) = member.value else { return false }
      return member.name.count <= 128 && value.count <= 128
    }
  }
}
