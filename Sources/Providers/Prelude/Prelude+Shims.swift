import Domain
import HTTP
import JSON

// TEMPORARY: what prelude-verify and carrier bring.
extension Prelude {
  enum Outcome: String {
    case success, blockedInvalidPhoneNumber, shadowBlocked, blockedSuspicious, unsupportedCountry, insufficientBalance, failing
    init?(endingOf number: PhoneNumber) {
      switch number.description.suffix(2) {
      case "13": self = .blockedInvalidPhoneNumber
      case "17": self = .shadowBlocked
      case "20": self = .unsupportedCountry
      case "21": self = .insufficientBalance
      case "23": self = .failing
      case "10": self = .blockedSuspicious
      default: self = .success
      }
    }
    var predictedFactors: [String] { self == .blockedSuspicious ? ["ip_reputation", "missing_signals"] : [] }
    var refusal: Problem? { nil }
  }
  struct Target { let number: PhoneNumber? }
  struct TargetForm {
    let value: String
    init(_ fields: Fields) throws {
      let t = try fields.object("target")
      _ = try t.string("type")
      value = try t.string("value")
    }
    func target(_ knobs: Knobs) throws -> Target {
      guard let n = PhoneNumber(value) else { throw Problem(.invalidPhoneNumber, param: "target.value") }
      return Target(number: n)
    }
  }
  struct SignalsForm {
    let isPresent: Bool
    let isTrustedUser: Bool?
    init(_ fields: Fields) throws {
      let s = try fields.optionalObject("signals")
      isPresent = try s != nil || fields.optionalString("dispatch_id") != nil
      isTrustedUser = try s?.optionalBool("is_trusted_user")
    }
  }
  static func checkCorrelation(_ fields: Fields?) throws {}
  static func isWebURL(_ text: String) -> Bool { text.hasPrefix("http") }
  static func isLanguageTag(_ text: String) -> Bool { true }
  static func checkCallback(_ url: String?, correlation: String?) throws {}
}
extension Prelude.Call {
  func outcome(of number: PhoneNumber) throws -> Prelude.Outcome { .init(endingOf: number) ?? .success }
  func number(_ text: String, of param: String) throws(Prelude.Problem) -> PhoneNumber {
    guard let number = PhoneNumber(text) else { throw Prelude.Problem(.invalidPhoneNumber, param: param) }
    return number
  }
}
