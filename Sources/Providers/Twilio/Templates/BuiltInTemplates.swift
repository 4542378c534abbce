import Basics

/// Templates that every account has, with the sandbox's own wording. The provider's are of the same kinds:
/// plain, with a warning, with the lifetime, for a purpose with a variable, for one channel only. Source:
/// contract 8.5.
extension Template {
  static let builtIn: [Template] = [
    template("a1", "Verification code", translations { $0.message(from: name, code: code) }),
    template(
      "a2", "Verification code with warning",
      translations { $0.addWarning(to: $0.message(from: name, code: code)) }),
    template(
      "a3", "Code with expiry",
      [
        ("en", "{{code}} is your {{friendly_name}} code. It expires in {{ttl}} minutes."),
        ("de", "{{code}} ist Ihr Code für {{friendly_name}}. Er läuft in {{ttl}} Minuten ab."),
        ("es", "{{code}} es tu código de {{friendly_name}}. Caduca en {{ttl}} minutos."),
        ("fr", "{{code}} est votre code {{friendly_name}}. Il expire dans {{ttl}} minutes."),
        ("it", "{{code}} è il tuo codice {{friendly_name}}. Scade tra {{ttl}} minuti."),
        ("pt", "{{code}} é o seu código {{friendly_name}}. Expira em {{ttl}} minutos."),
      ]),
    template(
      "a4", "Order confirmation",
      [
        ("en", "Use {{code}} to confirm your {{friendly_name}} order {{order}}."),
        ("de", "Bestätigen Sie mit {{code}} Ihre Bestellung {{order}} bei {{friendly_name}}."),
        ("es", "Usa {{code}} para confirmar tu pedido {{order}} de {{friendly_name}}."),
        ("fr", "Utilisez {{code}} pour confirmer votre commande {{order}} chez {{friendly_name}}."),
      ]),
    template(
      "a5", "Sign-in, text message only",
      [
        ("en", "{{code}} is your code to sign in to {{friendly_name}}."),
        ("de", "{{code}} ist Ihr Code zur Anmeldung bei {{friendly_name}}."),
      ], channels: [.sms]),
  ]

  private static let name = "{{friendly_name}}"
  private static let code = "{{code}}"

  private static func translations(_ text: (Language) -> String) -> [(String, String)] {
    Language.all.map { ($0.tag, text($0)) }
  }

  /// `digits` are the last ones of the SID.
  private static func template(
    _ digits: String, _ friendlyName: String, _ texts: [(String, String)],
    channels: [Channel] = Channel.allCases
  ) -> Template {
    var template = Template()
    template.sid = "HJ" + String(repeating: "0", count: 32 - digits.count) + digits
    template.friendlyName = friendlyName
    template.channels = channels
    template.translations = texts.map { locale, text in
      Translation(locale: locale, text: text, isDefault: locale == "en")
    }
    // Monday, 6 June 2022, 00:00 UTC.
    template.createdAt = Timestamp(milliseconds: 1_654_473_600_000)
    return template
  }
}
