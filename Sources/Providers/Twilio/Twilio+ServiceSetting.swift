import JSON

extension Twilio {
  /// One parameter of a Service: its name in requests, what it takes, and its default. Source: contract 3.
  struct ServiceSetting {
    /// What a parameter takes.
    enum Kind {
      /// `true` or `false` in any letter case.
      case flag
      /// A whole number.
      case number(ClosedRange<Int64>)
      /// Any text.
      case text
      /// A name of 1 to 30 letters, digits, spaces, dashes and underscores, at most four digits in all.
      case friendlyName
      /// A SID with this prefix.
      case sid(SidKind)
      /// One of these words.
      case word([String])
      /// Texts parted by commas, an array in answers.
      case list

      /// The value behind a parameter's text; nil where it is none.
      func read(_ text: String) -> JSON? {
        switch self {
        case .flag: Twilio.flag(text).map { .bool($0) }
        case .number(let range): Int64(text).flatMap { range.contains($0) ? .integer($0) : nil }
        case .text: .string(text)
        case .friendlyName: Self.isFriendlyName(text) ? .string(text) : nil
        case .sid(let kind): kind.matches(text) ? .string(text) : nil
        case .word(let words): words.contains(text) ? .string(text) : nil
        case .list: .array(text.split(separator: ",").map { .string(String($0)) })
        }
      }

      /// The value behind a seed's member; nil where it is none.
      func read(_ value: JSON) -> JSON? {
        switch value {
        case .bool(let flag): read(String(flag))
        case .integer(let number): read(String(number))
        case .string(let text): read(text)
        case .array(let items):
          read(items.map { if case .string(let text) = $0 { text } else { "" } }.joined(separator: ","))
        default: nil
        }
      }

      private static func isFriendlyName(_ text: String) -> Bool {
        (1...30).contains(text.count) && text.filter(\.isNumber).count <= 4
          && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
      }
    }

    /// The name in requests.
    let parameter: String
    /// What it takes.
    let kind: Kind
    /// What answers show when nothing was set.
    let fallback: JSON
    /// Whether a Service cannot be without it.
    let isRequired: Bool

    private init(_ parameter: String, _ kind: Kind, _ fallback: JSON = .null, isRequired: Bool = false) {
      self.parameter = parameter
      self.kind = kind
      self.fallback = fallback
      self.isRequired = isRequired
    }

    /// Every parameter, in the contract's order.
    static let all: [ServiceSetting] = [
      ServiceSetting("FriendlyName", .friendlyName, isRequired: true),
      ServiceSetting("CodeLength", .number(4...10), .integer(6)),
      ServiceSetting("LookupEnabled", .flag, .bool(false)),
      ServiceSetting("SkipSmsToLandlines", .flag, .bool(false)),
      ServiceSetting("DtmfInputRequired", .flag, .bool(true)),
      ServiceSetting("TtsName", .text),
      ServiceSetting("Psd2Enabled", .flag, .bool(false)),
      ServiceSetting("DoNotShareWarningEnabled", .flag, .bool(false)),
      ServiceSetting("CustomCodeEnabled", .flag, .bool(false)),
      ServiceSetting("Push.IncludeDate", .flag, .bool(false)),
      ServiceSetting("Push.ApnCredentialSid", .sid(.credential)),
      ServiceSetting("Push.FcmCredentialSid", .sid(.credential)),
      ServiceSetting("Totp.Issuer", .text),
      ServiceSetting("Totp.TimeStep", .number(20...60)),
      ServiceSetting("Totp.CodeLength", .number(3...8)),
      ServiceSetting("Totp.Skew", .number(0...2)),
      ServiceSetting("DefaultTemplateSid", .sid(.template)),
      ServiceSetting("Whatsapp.MsgServiceSid", .sid(.messagingService)),
      ServiceSetting("Whatsapp.From", .text),
      ServiceSetting("Passkeys.RelyingParty.Id", .text),
      ServiceSetting("Passkeys.RelyingParty.Name", .text),
      ServiceSetting("Passkeys.RelyingParty.Origins", .list),
      ServiceSetting("Passkeys.AuthenticatorAttachment", .word(["platform", "cross-platform", "any"])),
      ServiceSetting("Passkeys.DiscoverableCredentials", .word(["required", "preferred", "discouraged"])),
      ServiceSetting("Passkeys.UserVerification", .word(["required", "preferred", "discouraged"])),
      ServiceSetting("VerifyEventSubscriptionEnabled", .flag, .bool(false)),
    ]
  }

  /// `true` or `false` in any letter case; nil for anything else. Source: contract 1.3.
  static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true": true
    case "false": false
    default: nil
    }
  }
}
