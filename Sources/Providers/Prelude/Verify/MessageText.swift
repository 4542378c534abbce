import JSON

/// The app or page that reads the code from the message. Source: contract 3.2 and additions.
struct AppRealm: Equatable {
  enum Platform: String {
    case android, web
  }

  let platform: Platform
  /// The hash of an Android app, or the domain of a page.
  let value: String

  /// Nil if a member is missing or invalid.
  init?(_ json: JSON) {
    guard case .string(let word) = json["platform"], let platform = Platform(rawValue: word),
      case .string(let value) = json["value"]
    else { return nil }
    let isHash =
      value.utf8.count == 11 && value.utf8.allSatisfy { $0.isAlphanumeric || "+/".utf8.contains($0) }
    let isDomain =
      value.contains(".") && value.utf8.allSatisfy { $0.isAlphanumeric || ".-".utf8.contains($0) }
    guard platform == .android ? isHash : isDomain else { return nil }
    self.platform = platform
    self.value = value
  }

  /// The last line of the message: for the SMS Retriever of Android, or for WebOTP. Source:
  /// https://developers.google.com/identity/sms-retriever/verify; https://wicg.github.io/sms-one-time-codes
  func line(with code: String) -> String {
    switch platform {
    case .android: value
    case .web: "@\(value) #\(code)"
    }
  }

  func write(to json: inout JSONWriter) {
    json.member("platform", platform.rawValue)
    json.member("value", value)
  }
}

/// The languages of messages. Source: contract, additions.
enum Language: String {
  case english = "en"
  case spanish = "es"
  case french = "fr"
  case german = "de"
  case portuguese = "pt"
  case italian = "it"

  /// The language of a tag such as `fr-FR`; English for others.
  init(ofTag tag: String?) {
    let subtag = tag?.prefix { $0 != "-" }.lowercased()
    self = subtag.flatMap(Language.init) ?? .english
  }

  func text(with code: String) -> String {
    switch self {
    case .english: "Your verification code is: \(code)"
    case .spanish: "Tu código de verificación es: \(code)"
    case .french: "Votre code de vérification est : \(code)"
    case .german: "Ihr Bestätigungscode lautet: \(code)"
    case .portuguese: "Seu código de verificação é: \(code)"
    case .italian: "Il tuo codice di verifica è: \(code)"
    }
  }

  /// The word between an amount and who gets it.
  var recipientPreposition: String {
    switch self {
    case .english: "to"
    case .spanish, .italian: "a"
    case .french: "à"
    case .german: "an"
    case .portuguese: "para"
    }
  }
}
