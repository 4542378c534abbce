import ProviderKit

/// The languages of the sandbox's own texts. Source: contract 3.
enum Language: String, CaseIterable {
  case english = "en-US"
  case german = "de-DE"
  case spanish = "es-ES"
  case french = "fr-FR"
  case italian = "it-IT"
  case portuguese = "pt-BR"

  /// The first tag of a list that has a text, else English.
  init(preferred tags: [String]) {
    self = tags.lazy.compactMap { Language(tag: $0) }.first ?? .english
  }

  /// `Accept-Language`, in the order of its list.
  init(accepting header: String?) {
    self.init(preferred: header.map(Self.tags) ?? [])
  }

  /// The tags of `Accept-Language`, at most 20.
  static func tags(in header: String) -> [String] {
    header.split(separator: ",").prefix(20).map { item in
      String(item.prefix { $0 != ";" }.filter { $0 != " " }.prefix(35))
    }
  }

  /// The language of a tag such as `es`, `es-ES` or `es_MX`; nil without a text.
  init?(tag: String) {
    let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
    guard let found = Self.allCases.first(where: { $0.rawValue.hasPrefix("\(primary)-") }) else { return nil }
    self = found
  }

  var template: String {
    switch self {
    case .english: "Your verification code is {{CODE}}."
    case .german: "Dein Bestätigungscode lautet {{CODE}}."
    case .spanish: "Tu código de verificación es {{CODE}}."
    case .french: "Votre code de vérification est {{CODE}}."
    case .italian: "Il tuo codice di verifica è {{CODE}}."
    case .portuguese: "Seu código de verificação é {{CODE}}."
    }
  }
}
