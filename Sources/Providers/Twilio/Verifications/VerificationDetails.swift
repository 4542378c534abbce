import ProviderKit

/// What is stored with a verification for this provider only.
struct VerificationDetails: VerificationRecord {
  /// Under PSD2: what is to be paid.
  var amount: String?
  /// Under PSD2: who gets the payment.
  var payee: String?
  /// Only where events are reported.
  var customFriendlyName: String?
  /// The language of the first message; nil for English.
  var locale: String?

  init(of form: VerificationForm, in language: Language, reportsEvents: Bool) {
    amount = form.amount
    payee = form.payee
    if reportsEvents { customFriendlyName = form.customFriendlyName }
    if language !== Language.english { locale = language.tag }
  }

  init(of verification: Verification) throws {
    self = try verification.details.record()
  }

  init?(stored text: String) throws {
    guard text != Self.empty else { return }
    let fields = try Fields(Array(text.utf8))
    amount = try fields.optionalString("amount")
    payee = try fields.optionalString("payee")
    customFriendlyName = try fields.optionalString("customFriendlyName")
    locale = try fields.optionalString("locale")
  }

  var encoded: String {
    guard amount != nil || payee != nil || customFriendlyName != nil || locale != nil else {
      return Self.empty
    }
    return JSONWriter.text { json in
      json.member("amount", amount)
      json.member("payee", payee)
      if let customFriendlyName { json.member("customFriendlyName", customFriendlyName) }
      if let locale { json.member("locale", locale) }
    }
  }

  private static let empty = "{}"
}
