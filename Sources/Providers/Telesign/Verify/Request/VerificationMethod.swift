import Domain
import ProviderKit

/// How the Verify API can verify. Source: contract 4.2; 5.5 for `stamp`.
enum VerificationMethod: String, CaseIterable {
  case silent
  case push
  /// A registered app scans what a website shows.
  case stamp
  case sms
  case rcs
  case whatsapp
  case viber
  case email
  case voice

  /// How the core knows it.
  var channel: Channel {
    switch self {
    case .silent: .silent
    case .push, .stamp: .push
    case .sms: .sms
    case .rcs: .rcs
    case .whatsapp: .whatsapp
    case .viber: .viber
    case .email: .email
    case .voice: .call
    }
  }

  /// Seconds before the next one, where a request says nothing of them. Source: contract 4.3.
  var usualSeconds: Int { self == .email ? 120 : 60 }

  /// The method of a request's word; `qr` is another for `stamp`, which answers have.
  init?(word: String) { self.init(rawValue: word == "qr" ? "stamp" : word) }

  /// Every word, for whoever wrote another.
  static let words = allCases.map(\.rawValue).joined(separator: ", ")
}
