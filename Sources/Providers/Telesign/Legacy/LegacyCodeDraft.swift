import Domain
import HTTP
import JSON
import ProviderKit

/// A code to send with SMS, Voice, Smart or App Verify. Source: contract 7.1 to 7.3.
struct LegacyCodeDraft {
  let kind: ReferenceKind
  let channel: Channel
  let number: ParsedNumber
  var details: LegacyDetails
  /// Number of digits of a generated code.
  var codeLength: Int
  /// The caller's own code.
  var code: String?
  var sender: String
  /// True if the code is appended to the sender.
  var senderEndsInCode = false
  var text: CodeText
  /// Calls only.
  var speech = Speech()
  var callbackURL: String?

  fileprivate func message(with code: String, reference: String) -> MessageDraft {
    let text = text.filled(with: code)
    var message = MessageDraft(
      provider: TelesignProvider.name, reference: reference, channel: channel,
      destination: number.phoneNumber.description,
      sender: senderEndsInCode ? sender + code : sender, text: text,
      code: text.contains(code) ? code : passcode(in: text))
    message.speech = speech
    message.ending = number.ending?.scenario
    return message
  }
}

extension RequestContext {
  /// Starts a verification and sends its code. Earlier verifications of the number stay valid. Source:
  /// contract 7.1.
  func send(_ draft: LegacyCodeDraft) throws -> LegacyVerification {
    try checkCanSend(to: draft.number)
    var start = Verifications.Start(
      claim(of: draft.number), over: draft.channel, rules: settings.legacyRules(codeLength: draft.codeLength)
    ) {
      draft.message(with: $0.code, reference: referenceID(draft.kind, $0.ordinal, in: sandbox))
    }
    start.customCode = draft.code
    start.details = draft.details.encoded
    start.onSent = { verification, message in
      let timeline = try DeliveryTimeline(of: message, in: sandbox)
      try Callback(.verifyDelivery, of: verification.ordinal, as: message.reference, for: customer)
        .schedule(at: timeline.finalEntry?.at, to: draft.callbackURL, in: sandbox)
    }
    switch try sandbox.verifications.start(start) {
    case .created(let verification), .resent(let verification), .sendsExhausted(let verification),
      .checksExhausted(let verification):
      return try LegacyVerification(verification, draft.kind, in: sandbox)
    }
  }

  /// Stores a denied verification for a code that is not sent; `status` is the `status.code`.
  func block(_ draft: LegacyCodeDraft, with status: Int) throws -> LegacyVerification {
    try checkCanSend(to: draft.number)
    var details = draft.details
    details.statusCode = status
    let verification = try sandbox.verifications.deny(claim(of: draft.number), details: details.encoded)
    return try LegacyVerification(verification, draft.kind, in: sandbox)
  }

  private func claim(of number: ParsedNumber) -> Claim {
    Claim(provider: TelesignProvider.name, owner: customer, destination: number.phoneNumber.description)
  }

}

extension Settings {
  /// The limits of a verification of the older products. Source: contract 7.4 and 15.
  func legacyRules(codeLength: Int) -> VerificationRules {
    var rules = VerificationRules()
    rules.codeLength = codeLength
    rules.lifetime = .seconds(smsCodeSeconds)
    rules.checkLimit = smsCodeAttempts
    rules.resendsWhilePending = false
    rules.refusesStartWhileLocked = false
    return rules
  }
}

/// Parameters of several products. Source: contract 7.1 to 7.3.
extension RequestContext {
  /// A text; `limit` is in characters.
  func text(_ name: String, upTo limit: Int) throws -> String? {
    guard let text = try field(name) else { return nil }
    guard text.count <= limit else {
      throw APIError.invalidParameter(name, expected: "at most \(limit) characters")
    }
    return text
  }

  /// The caller's own code; `digits` is its length.
  func customCode(_ digits: ClosedRange<Int>) throws -> String? {
    guard let code = try field("verify_code") else { return nil }
    guard digits.contains(code.utf8.count), code.utf8.allSatisfy({ $0.isDigit }) else {
      throw APIError.invalidParameter(
        "verify_code", expected: "\(digits.lowerBound) to \(digits.upperBound) digits")
    }
    return code
  }

  /// Validates two parameters that have no effect.
  func checkUseCaseAndIP() throws {
    if let useCase = try field("ucid"), !useCases.contains(useCase) {
      throw APIError.invalidParameter("ucid", expected: "one of \(useCases.joined(separator: ", "))")
    }
    if let address = try field("originating_ip"), !IPAddress.isValid(address) {
      throw APIError.invalidParameter("originating_ip", expected: "an IPv4 or IPv6 address")
    }
  }

  /// A boolean; nil if it is missing.
  func flag(_ name: String) throws -> Bool? {
    switch try field(name)?.lowercased() {
    case nil: nil
    case "true", "1": true
    case "false", "0": false
    default: throw APIError.invalidParameter(name, expected: "true or false")
    }
  }

  /// The URL of the callback: that of the request, if the account may choose it, else that of the settings.
  /// Source: contract 13.1.
  func callbackURL() throws -> String? {
    guard let url = try field("callback_url") else {
      return settings.callbackURL.isEmpty ? nil : settings.callbackURL
    }
    try checkCallbackURL(
      url, notAllowed: APIError(-20003, in: format),
      invalid: .invalidParameter("callback_url", expected: "an http or https URL"))
    return url
  }
}

/// Values of `ucid`; the last one is an older spelling. Source: contract 7.1.
let useCases = [
  "ATCK", "BACF", "BACS", "CHBK", "CLDR", "LEAD", "OTHR", "PWRT", "RESV", "RXPF", "SHIP", "THEF", "TRVF",
  "UNKN", "TELF",
]

/// The text of a message or call, with placeholders for the code and a payment. Source: contract 7.1, 7.2.
struct CodeText {
  private let template: String
  private let payment: (amount: String, payee: String)?

  /// `custom` nil: the default text in the language.
  init(
    _ custom: String?, spoken: Bool = false, language: String?,
    payment: (amount: String, payee: String)? = nil
  ) {
    template = custom ?? Self.defaultText(language, spoken: spoken)
    self.payment = payment
  }

  func filled(with code: String) -> String {
    template.replacing("$$CODE$$", with: code)
      .replacing("$$AMOUNT$$", with: payment?.amount ?? "")
      .replacing("$$PAYEE$$", with: payment?.payee ?? "")
  }

  /// English if there is no text in the language. `language` is a tag such as `pt-BR`.
  private static func defaultText(_ language: String?, spoken: Bool) -> String {
    let subtag = (language ?? "en").lowercased().prefix { $0 != "-" && $0 != "_" }
    let texts = spoken ? spokenTexts : writtenTexts
    return texts[String(subtag)] ?? texts["en"] ?? ""
  }

  private static let writtenTexts = [
    "de": "Ihr Code lautet $$CODE$$.",
    "en": "Your code is $$CODE$$.",
    "es": "Su código es $$CODE$$.",
    "fr": "Votre code est $$CODE$$.",
    "it": "Il tuo codice è $$CODE$$.",
    "pt": "O seu código é $$CODE$$.",
  ]

  /// The English one is the vendor's. Source: `data/telesign-2022-voice-verify.swagger.yaml`, `tts_message`.
  private static let spokenTexts = [
    "de":
      "Guten Tag. Danke, dass Sie unsere telefonische Prüfung nutzen. Ihr Code lautet $$CODE$$. Noch einmal: Ihr Code lautet $$CODE$$. Auf Wiederhören.",
    "en":
      "Hello. Thank you for using our phone verification system. Your code is $$CODE$$. Once again, your code is $$CODE$$. Goodbye.",
    "es":
      "Hola. Gracias por usar nuestro sistema de verificación telefónica. Su código es $$CODE$$. De nuevo, su código es $$CODE$$. Adiós.",
    "fr":
      "Bonjour. Merci d'utiliser notre système de vérification par téléphone. Votre code est $$CODE$$. Je répète, votre code est $$CODE$$. Au revoir.",
    "it":
      "Salve. Grazie per aver usato il nostro sistema di verifica telefonica. Il suo codice è $$CODE$$. Ripeto, il suo codice è $$CODE$$. Arrivederci.",
    "pt":
      "Olá. Obrigado por usar o nosso sistema de verificação por telefone. O seu código é $$CODE$$. Repito, o seu código é $$CODE$$. Adeus.",
  ]
}
