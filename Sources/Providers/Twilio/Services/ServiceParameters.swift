import ProviderKit

extension Service {
  /// Every parameter, in the contract's order. Source: contract 3.
  static let parameters: [ServiceParameter] = [
    .init(
      "FriendlyName", .text(.friendlyName, \.friendlyName),
      "The name in messages: 1 to 30 letters, digits, spaces, - and _, at most four digits. A new Service needs one."
    ),
    .init("CodeLength", .integer(4...10, \.codeLength), "Number of digits of codes; 6 by default."),
    .init("LookupEnabled", .flag(\.lookupEnabled), "Responses show the destination's carrier."),
    .init(
      "SkipSmsToLandlines", .flag(\.skipSmsToLandlines), "Reject texts to landlines; needs LookupEnabled."),
    .init(
      "DtmfInputRequired", .flag(\.dtmfInputRequired),
      "Calls ask for a key before they read the code; true when absent."),
    .init("TtsName", .text(.any, \.ttsName), "The name that calls speak."),
    .init("Psd2Enabled", .flag(\.psd2Enabled), "Verifications are for payments, with Amount and Payee."),
    .init(
      "DoNotShareWarningEnabled", .flag(\.doNotShareWarningEnabled),
      "Messages warn against sharing the code."),
    .init("CustomCodeEnabled", .flag(\.customCodeEnabled), "Clients may choose codes themselves."),
    .init("Push.IncludeDate", .flag(\.pushIncludeDate), "Push challenges have a date."),
    .init(
      "Push.ApnCredentialSid", .text(.sid(.credential), \.pushApnCredentialSid), "The APNs credential."),
    .init("Push.FcmCredentialSid", .text(.sid(.credential), \.pushFcmCredentialSid), "The FCM credential."),
    .init("Totp.Issuer", .text(.any, \.totpIssuer), "The issuer that authenticator apps show."),
    .init("Totp.TimeStep", .integer(20...60, \.totpTimeStep), "Time step of TOTP codes, in seconds."),
    .init("Totp.CodeLength", .integer(3...8, \.totpCodeLength), "Number of digits of TOTP codes."),
    .init("Totp.Skew", .integer(0...2, \.totpSkew), "How many time steps a TOTP code may be early or late."),
    .init(
      "DefaultTemplateSid", .text(.sid(.template), \.defaultTemplateSid),
      "The default template of messages."),
    .init(
      "Whatsapp.MsgServiceSid", .text(.sid(.messagingService), \.whatsappMsgServiceSid),
      "The messaging service that sends WhatsApp messages."),
    .init("Whatsapp.From", .text(.any, \.whatsappFrom), "The sender of WhatsApp messages."),
    .init("Passkeys.RelyingParty.Id", .text(.any, \.relyingPartyId), "The relying party's domain."),
    .init("Passkeys.RelyingParty.Name", .text(.any, \.relyingPartyName), "The relying party's name."),
    .init(
      "Passkeys.RelyingParty.Origins", .list(\.relyingPartyOrigins),
      "The origins that passkeys are accepted from: an array, or one text separated by commas."),
    .init(
      "Passkeys.AuthenticatorAttachment",
      .text(.word(["platform", "cross-platform", "any"]), \.authenticatorAttachment),
      "The kind of authenticator that may hold a passkey."),
    .init(
      "Passkeys.DiscoverableCredentials",
      .text(.word(["required", "preferred", "discouraged"]), \.discoverableCredentials),
      "Whether passkeys can be found without a user name."),
    .init(
      "Passkeys.UserVerification",
      .text(.word(["required", "preferred", "discouraged"]), \.userVerification),
      "Whether the authenticator verifies its user."),
    .init(
      "VerifyEventSubscriptionEnabled", .flag(\.verifyEventSubscriptionEnabled),
      "Emit events about verifications."),
  ]

  static let parameterNames = parameters.map(\.name)

  /// The parameters in seeds and in storage, where those that are not set are left out.
  static let parameterSchema = Schema<Service>(
    "TwilioServiceSettings",
    "Parameters of a Service, named as in requests. An empty text clears one, except FriendlyName.",
    parameters.map(\.field))

  mutating func apply(_ form: Form) throws(APIError) {
    form.declare(Self.parameterNames)
    for parameter in Self.parameters {
      guard let text = form[parameter.name] else { continue }
      guard parameter.value.set(text, in: &self) else {
        throw .invalidParameter(parameter.name, expected: parameter.value.expected)
      }
    }
  }
}

struct ServiceParameter: Sendable {
  let name: String
  let value: Value
  let summary: String

  /// The values of a parameter, and the property that holds them.
  enum Value: Sendable {
    typealias Path<Property> = any WritableKeyPath<Service, Property?> & Sendable

    /// `true` or `false` in any letter case.
    case flag(Path<Bool>)
    case integer(ClosedRange<Int>, Path<Int>)
    case text(TextFormat, Path<String>)
    /// Texts separated by commas in requests, an array in responses.
    case list(Path<[String]>)
  }

  enum TextFormat: Sendable {
    case any
    case friendlyName
    case sid(SidKind)
    case word([String])
  }

  init(_ name: String, _ value: Value, _ summary: String) {
    self.name = name
    self.value = value
    self.summary = summary
  }

  /// The parameter in seeds: a value as responses show it, or a text as requests have it.
  var field: Field<Service> {
    Field(ObjectSchema.Member(name, value.schema, summary)) {
      [name, value] fields, service throws(FieldError) in
      guard let json = try fields.optionalJSON(name) else { return }
      guard let text = value.formText(of: json), value.set(text, in: &service) else {
        throw fields.mismatch(name, expected: value.expected)
      }
    } write: { [name, value] service, json in
      if let current = value.current(in: service) { json.member(named: name, current) }
    }
  }
}

extension ServiceParameter.Value {
  /// Sets the property from a form's text; an empty text clears it. False for a bad value.
  func set(_ text: String, in service: inout Service) -> Bool {
    switch self {
    case .flag(let path):
      let flag = Bool(flag: text)
      guard text.isEmpty || flag != nil else { return false }
      service[keyPath: path] = flag
    case .integer(let range, let path):
      let number = Int(text)
      guard text.isEmpty || number.map(range.contains) == true else { return false }
      service[keyPath: path] = number
    case .text(let format, let path):
      guard format.accepts(text) else { return false }
      service[keyPath: path] = text.isEmpty ? nil : text
    case .list(let path):
      service[keyPath: path] = text.isEmpty ? nil : text.split(separator: ",").map(String.init)
    }
    return true
  }

  /// A JSON value as the text of a form field; nil for a type that the parameter does not have.
  fileprivate func formText(of json: JSON) -> String? {
    switch (self, json) {
    case (_, .string), (.flag, .bool), (.text(.any, _), .bool): json.formText
    case (.integer, _), (.text(.any, _), _), (.text(.friendlyName, _), _):
      json.wholeNumber.map(String.init)
    case (.list, .array(let items)): Self.list(items)
    default: nil
    }
  }

  private static func list(_ items: [JSON]) -> String? {
    let texts = items.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.count == items.count ? texts.joined(separator: ",") : nil
  }

  fileprivate func current(in service: Service) -> JSON? {
    switch self {
    case .flag(let path): service[keyPath: path].map { .bool($0) }
    case .integer(_, let path): service[keyPath: path].map { .integer(Int64($0)) }
    case .text(_, let path): service[keyPath: path].map { .string($0) }
    case .list(let path): service[keyPath: path].map { .array($0.map { .string($0) }) }
    }
  }

  /// What a valid value is, for error messages.
  fileprivate var expected: String {
    switch self {
    case .flag: "true or false"
    case .integer(let range, _): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .text(.any, _): "a string"
    case .text(.friendlyName, _): "1 to 30 letters, digits, spaces, - and _, at most four digits"
    case .text(.sid(let kind), _): "\(kind.rawValue) and 32 hex digits"
    case .text(.word(let words), _): "one of \(words.joined(separator: ", "))"
    case .list: "strings"
    }
  }

  fileprivate var schema: JSONSchema {
    switch self {
    case .flag: .anyOf([.boolean, .string(pattern: "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|)$")])
    case .integer(let range, _):
      .anyOf([
        .integer(minimum: range.lowerBound, maximum: range.upperBound), .words(range.map(String.init) + [""]),
      ])
    case .text(.any, _): .anyOf([.string(), .integer(), .boolean])
    case .text(.friendlyName, _):
      // Letters beyond ASCII are allowed; of ASCII, all but controls and punctuation.
      .anyOf([
        .string(
          pattern:
            #"^([^\u0000-\u001f!-,./:-@\[-^`{-\u007f0-9]*[0-9]){0,4}[^\u0000-\u001f!-,./:-@\[-^`{-\u007f0-9]*$"#,
          minLength: 1, maxLength: 30),
        .integer(minimum: -9999, maximum: 9999),
      ])
    case .text(.sid(let kind), _): .string(pattern: "^(\(kind.rawValue)[0-9A-Fa-f]{32}|)$")
    case .text(.word(let words), _): .words(words + [""])
    case .list: .anyOf([.array(.string()), .string()])
    }
  }
}

extension ServiceParameter.TextFormat {
  /// True for valid texts, and for an empty one, which clears the parameter. A friendly name cannot be
  /// cleared.
  fileprivate func accepts(_ text: String) -> Bool {
    switch self {
    case .any: true
    case .friendlyName:
      (1...30).contains(text.count) && text.filter(\.isNumber).count <= 4
        && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
    case .sid(let kind): text.isEmpty || kind.matches(text)
    case .word(let words): text.isEmpty || words.contains(text)
    }
  }
}

extension Bool {
  /// `true` or `false` in any letter case; nil for anything else. Source: contract 1.3.
  init?(flag text: String) {
    switch text.lowercased() {
    case "true": self = true
    case "false": self = false
    default: return nil
    }
  }
}
