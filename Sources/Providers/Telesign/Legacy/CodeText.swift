import Domain

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
    Placeholders.dollars.fill(template) { name in
      switch name {
      case "CODE": code
      case "AMOUNT": payment?.amount ?? ""
      case "PAYEE": payment?.payee ?? ""
      default: nil
      }
    }
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

  /// The English one is the provider's. Source: `data/telesign-2022-voice-verify.swagger.yaml`,
  /// `tts_message`.
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
