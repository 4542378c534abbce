/// The languages of messages; the wording is the sandbox's. Source: contract 3.
enum Language: String {
  case english = "en"
  case spanish = "es"
  case french = "fr"
  case german = "de"
  case portuguese = "pt"
  case italian = "it"
  case russian = "ru"
  case hindi = "hi"
  case indonesian = "id"

  /// The language of a tag such as `fr-fr`; English for others.
  init(ofTag tag: String) {
    self = Language(rawValue: tag.prefix { $0 != "-" }.lowercased()) ?? .english
  }

  func message(from brand: String, code: String) -> String {
    switch self {
    case .english: "\(brand) code: \(code)."
    case .spanish: "Código de \(brand): \(code)."
    case .french: "Code \(brand) : \(code)."
    case .german: "\(brand)-Code: \(code)."
    case .portuguese: "Código \(brand): \(code)."
    case .italian: "Codice \(brand): \(code)."
    case .russian: "Код \(brand): \(code)."
    case .hindi: "\(brand) कोड: \(code)."
    case .indonesian: "Kode \(brand): \(code)."
    }
  }

  func question(from brand: String) -> String {
    switch self {
    case .english: "Are you signing in to \(brand)? Answer YES or NO."
    case .spanish: "¿Estás iniciando sesión en \(brand)? Responde SÍ o NO."
    case .french: "Vous connectez-vous à \(brand) ? Répondez OUI ou NON."
    case .german: "Melden Sie sich gerade bei \(brand) an? Antworten Sie mit JA oder NEIN."
    case .portuguese: "Você está entrando em \(brand)? Responda SIM ou NÃO."
    case .italian: "Stai accedendo a \(brand)? Rispondi SÌ o NO."
    case .russian: "Вы входите в \(brand)? Ответьте ДА или НЕТ."
    case .hindi: "क्या आप \(brand) में साइन इन कर रहे हैं? YES या NO लिखें।"
    case .indonesian: "Apakah Anda sedang masuk ke \(brand)? Jawab YA atau TIDAK."
    }
  }

  /// What a person answers to the question; nil for another text. English words are understood too.
  func answer(in text: String) -> Bool? {
    let word = text.lowercased().filter { $0.isLetter }
    if Self.yes.contains(word) { return true }
    return Self.no.contains(word) ? false : nil
  }

  private static let yes: Set = ["yes", "sí", "si", "oui", "ja", "sim", "sì", "да", "ya"]
  private static let no: Set = ["no", "non", "nein", "não", "nao", "нет", "tidak"]
}
