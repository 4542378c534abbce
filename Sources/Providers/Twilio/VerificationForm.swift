import Domain
import HTTP
import JSON
import ProviderKit

/// The parameters of a verification's creation, each one checked by itself. Source: contract 4.1.
struct VerificationForm {
  /// The phone number or email address.
  let to: String
  /// How the code is to travel; a text where the choice is left to the vendor.
  let channel: Channel
  /// Whether the choice of channel is left to the vendor.
  let isAuto: Bool
  /// Stands in the message in place of the Service's name.
  let customFriendlyName: String?
  /// A code that the caller brings.
  let customCode: String?
  /// What is to be paid, and to whom.
  let amount: String?
  let payee: String?
  /// The hash that lets an Android app read the message.
  let appHash: String?
  /// A template for the message.
  let templateSid: String?
  /// Whether a check must repeat what the silent URL's answer carries.
  let needsClientToken: Bool

  /// Reads the form; what is missing, malformed or not for the channel is refused.
  init(_ form: Form) throws(Problem) {
    form.declare(Self.parameters)
    let word = form.text("Channel")?.lowercased()
    to = form.text("To") ?? ""
    guard Self.isDestination(to, of: word) else { throw .invalid("To", value: to) }
    channel = try Self.channel(word)
    isAuto = word == "auto"
    customFriendlyName = form.text("CustomFriendlyName")
    customCode = form.text("CustomCode")
    amount = form.text("Amount")
    payee = form.text("Payee")
    appHash = form.text("AppHash")
    templateSid = form.text("TemplateSid")
    needsClientToken = form.text("EnableSnaClientToken").flatMap(parseFlag) ?? false
    try checkChannelOptions()
    try Self.checkFormats(form)
  }

  private func checkChannelOptions() throws(Problem) {
    if let customCode, !(4...10).contains(customCode.count) { throw .invalid("CustomCode") }
    if let appHash {
      guard channel == .sms else { throw .appHashOnlyForTexts }
      guard appHash.utf8.count == 11 else { throw .invalid("AppHash") }
    }
    if let templateSid {
      guard channel == .sms || channel == .call else { throw .templateOnlyForTexts }
      guard SidKind.template.matches(templateSid) else { throw .invalid("TemplateSid") }
      throw .templateNotFound.because("templates are not emulated, so there is no \(templateSid)")
    }
  }

  private static func isDestination(_ text: String, of channel: String?) -> Bool {
    if channel == "email" { return EmailAddress.isValid(text) }
    return PhoneNumber(text) != nil
  }

  private static func channel(_ word: String?) throws(Problem) -> Channel {
    switch word {
    case "sms", "auto": return .sms
    case "call": return .call
    case "email": return .email
    case "whatsapp": return .whatsapp
    case "rcs": return .rcs
    case "sna": return .silent
    default: throw .invalid("Channel")
    }
  }

  /// Parameters whose form matters and whose content has no effect here.
  private static func checkFormats(_ form: Form) throws(Problem) {
    if let locale = form.text("Locale"), !isLanguageTag(locale) { throw .invalid("Locale") }
    if let check = form.text("RiskCheck"), check != "enable", check != "disable" {
      throw .invalid("RiskCheck")
    }
    if let token = form.text("EnableSnaClientToken"), parseFlag(token) == nil {
      throw .invalid("EnableSnaClientToken")
    }
    for name in ["ChannelConfiguration", "TemplateCustomSubstitutions"] {
      if let text = form.text(name), object(text) == nil { throw .invalid(name) }
    }
    if let text = form.text("Tags"), !isTags(text) { throw .invalid("Tags") }
    // No rate limits are emulated yet, so every name of one is unknown. Source: contract 7.
    if let text = form.text("RateLimits"), object(text) != [] { throw .invalid("RateLimits") }
  }

  /// Every parameter of the vendor's; some are accepted and have no effect here.
  private static let parameters = [
    "To", "Channel", "CustomFriendlyName", "CustomMessage", "SendDigits", "Locale", "CustomCode", "Amount",
    "Payee", "RateLimits", "ChannelConfiguration", "AppHash", "TemplateSid", "TemplateCustomSubstitutions",
    "Templates", "DeviceIp", "EnableSnaClientToken", "RiskCheck", "Tags",
  ]

  private static func object(_ text: String) -> [JSON.Member]? {
    guard case .object(let members)? = try? JSON(parsing: Array(text.utf8)) else { return nil }
    return members
  }

  private static func isTags(_ text: String) -> Bool {
    guard let members = object(text), members.count <= 10 else { return false }
    return members.allSatisfy { member in
      guard case .string(let value) = member.value else { return false }
      return member.name.count <= 128 && value.count <= 128
    }
  }

  private static func isLanguageTag(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return (2...3).contains(parts[0].count) && parts[0].allSatisfy { $0.isASCII && $0.isLetter }
      && parts.dropFirst().allSatisfy { part in
        (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      }
  }
}
