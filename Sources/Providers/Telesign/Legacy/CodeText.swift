import ProviderKit

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
    guard let text = texts[String(subtag)] ?? texts["en"] else { return "" }
    return spoken ? text.spoken : text.written
  }

  private static let texts: [String: (written: String, spoken: String)] = embedded {
    try TextTable(PackageResources.CodeTexts_txt, columns: 3...3).rows
      .reduce(into: [:]) { $0[$1[0]] = (written: $1[1], spoken: $1[2]) }
  }
}
