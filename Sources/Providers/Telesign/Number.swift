import Domain
import ProviderKit

/// A phone number as requests write it: country code first, digits only. Source: contract 4.2, 7.1 and 15.1.
struct Number: Equatable {
  /// The digits, as answers repeat them.
  let digits: String
  /// The number as the carrier knows it.
  let number: PhoneNumber
  /// Whether it was written with a `+`, which the vendor's numbers are without.
  let hadPlus: Bool

  /// A number of 7 to 15 digits; a leading `+` is passed over where the setting says so. No plan of numbers is
  /// asked: official tests use numbers that no country has.
  init?(_ text: String, _ settings: Settings) {
    hadPlus = settings.takesPlus && text.hasPrefix("+")
    let digits = hadPlus ? String(text.dropFirst()) : text
    guard let number = PhoneNumber("+\(digits)") else { return nil }
    self.digits = digits
    self.number = number
  }

  /// What its last four digits ask for.
  var ending: Ending? { Ending(rawValue: String(digits.suffix(4))) }
}

/// The last four digits of numbers with which something happens. Source: contract 15.1.
enum Ending: String, CaseIterable {
  case undelivered = "0207"
  case expired = "0221"
  case blocked = "0230"
  case undecided = "0250"
  case inProgress = "0290"
  case rateLimited = "0429"
  case unavailable = "0503"
  case invalid = "0010"
  case voip = "0005"
  case trial = "0033"
  case approvesPush = "0700"
  case deniesPush = "0701"
  case ignoresPush = "0702"
  case silentMismatch = "0450"

  /// What becomes of messages to such a number, where nobody has said otherwise.
  var scenario: Scenario? {
    switch self {
    case .undelivered: Self.scenario("undeliverable", error: 34)
    case .expired: Self.scenario("absent", after: .seconds(5))
    case .blocked: Self.scenario("reject", error: Self.blockedError)
    case .undecided: Self.scenario("noReceipt")
    case .inProgress: Self.scenario("noReceipt", after: .seconds(3_153_600_000))
    case .silentMismatch: Self.scenario("mismatch")
    default: nil
    }
  }

  /// The carrier's error by which a message that the vendor itself has blocked is known again.
  static let blockedError = 230

  private static func scenario(
    _ outcome: String, after: Duration? = nil, error: Int? = nil
  ) -> Scenario? {
    var scenario = Scenario(requested: outcome)
    scenario?.after = after
    scenario?.error = error
    return scenario
  }
}
