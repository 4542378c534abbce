import JSON
import ProviderKit

/// One parameter of a Service: its name in requests, what it takes, and where it is kept. Source: contract 3.
struct ServiceSetting {
  /// What a parameter takes, and the property that holds it.
  enum Kind {
    /// `true` or `false` in any letter case.
    case flag(WritableKeyPath<Service, Bool?>)
    /// A whole number.
    case number(ClosedRange<Int>, WritableKeyPath<Service, Int?>)
    /// A text of this form.
    case text((String) -> Bool, WritableKeyPath<Service, String?>)
    /// Texts parted by commas, an array in answers.
    case list(WritableKeyPath<Service, [String]?>)
  }

  /// The name in requests.
  let parameter: String
  /// What it takes.
  let kind: Kind

  private init(_ parameter: String, _ kind: Kind) {
    self.parameter = parameter
    self.kind = kind
  }

  /// The names in requests.
  static let names = all.map(\.parameter)

  /// Every parameter, in the contract's order.
  static var all: [ServiceSetting] {
    [
      ServiceSetting("FriendlyName", .text(isFriendlyName, \.friendlyName)),
      ServiceSetting("CodeLength", .number(4...10, \.codeLength)),
      ServiceSetting("LookupEnabled", .flag(\.lookupEnabled)),
      ServiceSetting("SkipSmsToLandlines", .flag(\.skipSmsToLandlines)),
      ServiceSetting("DtmfInputRequired", .flag(\.dtmfInputRequired)),
      ServiceSetting("TtsName", .text(isAnything, \.ttsName)),
      ServiceSetting("Psd2Enabled", .flag(\.psd2Enabled)),
      ServiceSetting("DoNotShareWarningEnabled", .flag(\.doNotShareWarningEnabled)),
      ServiceSetting("CustomCodeEnabled", .flag(\.customCodeEnabled)),
      ServiceSetting("Push.IncludeDate", .flag(\.pushIncludeDate)),
      ServiceSetting("Push.ApnCredentialSid", .text(SidKind.credential.matches, \.pushApnCredentialSid)),
      ServiceSetting("Push.FcmCredentialSid", .text(SidKind.credential.matches, \.pushFcmCredentialSid)),
      ServiceSetting("Totp.Issuer", .text(isAnything, \.totpIssuer)),
      ServiceSetting("Totp.TimeStep", .number(20...60, \.totpTimeStep)),
      ServiceSetting("Totp.CodeLength", .number(3...8, \.totpCodeLength)),
      ServiceSetting("Totp.Skew", .number(0...2, \.totpSkew)),
      ServiceSetting("DefaultTemplateSid", .text(SidKind.template.matches, \.defaultTemplateSid)),
      ServiceSetting(
        "Whatsapp.MsgServiceSid", .text(SidKind.messagingService.matches, \.whatsappMsgServiceSid)),
      ServiceSetting("Whatsapp.From", .text(isAnything, \.whatsappFrom)),
      ServiceSetting("Passkeys.RelyingParty.Id", .text(isAnything, \.relyingPartyId)),
      ServiceSetting("Passkeys.RelyingParty.Name", .text(isAnything, \.relyingPartyName)),
      ServiceSetting("Passkeys.RelyingParty.Origins", .list(\.relyingPartyOrigins)),
      ServiceSetting(
        "Passkeys.AuthenticatorAttachment",
        .text(["platform", "cross-platform", "any"].contains, \.authenticatorAttachment)),
      ServiceSetting(
        "Passkeys.DiscoverableCredentials",
        .text(["required", "preferred", "discouraged"].contains, \.discoverableCredentials)),
      ServiceSetting(
        "Passkeys.UserVerification",
        .text(["required", "preferred", "discouraged"].contains, \.userVerification)),
      ServiceSetting("VerifyEventSubscriptionEnabled", .flag(\.verifyEventSubscriptionEnabled)),
    ]
  }

  private static func isAnything(_ text: String) -> Bool { true }

  /// 1 to 30 letters, digits, spaces, dashes and underscores, at most four digits in all.
  private static func isFriendlyName(_ text: String) -> Bool {
    (1...30).contains(text.count) && text.filter(\.isNumber).count <= 4
      && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
  }
}

/// `true` or `false` in any letter case; nil for anything else. Source: contract 1.3.
func parseFlag(_ text: String) -> Bool? {
  switch text.lowercased() {
  case "true": true
  case "false": false
  default: nil
  }
}

extension ServiceSetting.Kind {
  /// Sets the property to what a parameter's text says, or to nothing where it is empty; false for a bad text.
  ///
  /// A friendly name is the one thing that cannot be cleared.
  func set(_ text: String, in service: inout Service) -> Bool {
    switch self {
    case .flag(let property):
      let flag = parseFlag(text)
      guard text.isEmpty || flag != nil else { return false }
      service[keyPath: property] = flag
    case .number(let range, let property):
      let number = Int(text)
      guard text.isEmpty || number.map(range.contains) == true else { return false }
      service[keyPath: property] = number
    case .text(let isValid, let property):
      guard isValid(text) || text.isEmpty && property != \.friendlyName else { return false }
      service[keyPath: property] = text.isEmpty ? nil : text
    case .list(let property):
      service[keyPath: property] = text.isEmpty ? nil : text.split(separator: ",").map(String.init)
    }
    return true
  }

  /// What the property is set to; nil where nothing was set.
  func value(in service: Service) -> JSON? {
    switch self {
    case .flag(let property): service[keyPath: property].map { .bool($0) }
    case .number(_, let property): service[keyPath: property].map { .integer(Int64($0)) }
    case .text(_, let property): service[keyPath: property].map { .string($0) }
    case .list(let property): service[keyPath: property].map { .array($0.map { .string($0) }) }
    }
  }
}
