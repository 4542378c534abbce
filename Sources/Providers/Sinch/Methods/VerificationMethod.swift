import ProviderKit

/// How a person proves to have a number, by its name in answers. Source: contract 3.
enum VerificationMethod: String, CaseIterable {
  case sms
  /// A call that nobody answers: its caller number is the code.
  case flashcall
  /// A call that reads out the code.
  case callout
  /// Mobile data, without a code.
  case seamless
  case whatsapp

  /// The names in requests: those of older documents too.
  init?(requested text: String) {
    switch text {
    case "flashCall": self = .flashcall
    case "phonecall": self = .callout
    default: self.init(rawValue: text)
    }
  }

  var channel: Channel {
    switch self {
    case .sms: .sms
    case .flashcall, .callout: .call
    case .seamless: .silent
    case .whatsapp: .whatsapp
    }
  }

  /// The names of its object in reports; the first one in answers too.
  var members: [String] {
    switch self {
    case .flashcall: ["flashCall", "flashcall"]
    default: [rawValue]
    }
  }

  /// What the person enters.
  var proof: String { self == .flashcall ? "cli" : "code" }

  func writePrice(_ name: StaticString, times share: Double = 1, to json: inout JSONWriter) {
    json.object(name) { json in
      json.member("amount", price * share)
      json.member("currencyId", "USD")
    }
  }

  /// The sandbox's prices, in US dollars. Source: contract 5.
  private var price: Double {
    switch self {
    case .sms: 0.05
    case .flashcall: 0.01
    case .callout: 0.02
    case .seamless: 0.015
    case .whatsapp: 0.03
    }
  }

  /// How long a verification lasts, in seconds, if the request does not say. Source: contract 9.
  func expiry(_ settings: Settings) -> Int {
    switch self {
    case .sms, .callout, .whatsapp: settings.expiry
    case .flashcall: settings.flashCallExpiry
    case .seamless: settings.seamlessExpiry
    }
  }
}

/// The characters of a code. Source: contract 3.
enum CodeType: String, CaseIterable {
  case numeric = "Numeric"
  case alpha = "Alpha"
  case alphanumeric = "Alphanumeric"
}
