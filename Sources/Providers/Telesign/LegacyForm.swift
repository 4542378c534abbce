import ProviderKit

/// The form of an older product's request. A body of another kind has no fields. Source: contract 3.3, quirk
/// 11; 7.1 to 7.3.
struct LegacyForm {
  private let form: Form

  init(_ request: Request) throws {
    form = try request.form
  }

  /// Declares parameters that have no effect.
  func declare(_ names: [String]) { form.declare(names) }

  /// Nil if the field is missing or empty. If it is repeated, the last value wins.
  func text(_ name: String) -> String? {
    guard let text = form.last(name), !text.isEmpty else { return nil }
    return text
  }

  /// `limit` is in characters.
  func text(_ name: String, upTo limit: Int) throws -> String? {
    guard let text = text(name) else { return nil }
    guard text.count <= limit else {
      throw APIError.invalidParameter(name, expected: "at most \(limit) characters")
    }
    return text
  }

  func required(_ name: String) throws -> String {
    guard let text = text(name) else { throw APIError.missing(name) }
    return text
  }

  /// Nil if it is missing.
  func flag(_ name: String) throws -> Bool? {
    switch text(name)?.lowercased() {
    case nil: nil
    case "true", "1": true
    case "false", "0": false
    default: throw APIError.invalidParameter(name, expected: "true or false")
    }
  }

  /// The caller's own code; `digits` is its length.
  func customCode(_ digits: ClosedRange<Int>) throws -> String? {
    guard let code = text("verify_code") else { return nil }
    guard digits.contains(code.utf8.count), code.utf8.allSatisfy({ $0.isDigit }) else {
      throw APIError.invalidParameter(
        "verify_code", expected: "\(digits.lowerBound) to \(digits.upperBound) digits")
    }
    return code
  }

  /// Validates two parameters that have no effect.
  func checkUseCaseAndIP() throws {
    if let useCase = text("ucid"), !useCases.contains(useCase) {
      throw APIError.invalidParameter("ucid", expected: "one of \(useCases.joined(separator: ", "))")
    }
    if let address = text("originating_ip"), !IPAddress.isValid(address) {
      throw APIError.invalidParameter("originating_ip", expected: "an IPv4 or IPv6 address")
    }
  }
}

/// Values of `ucid`; the last one is an older spelling. Source: contract 7.1.
let useCases = [
  "ATCK", "BACF", "BACS", "CHBK", "CLDR", "LEAD", "OTHR", "PWRT", "RESV", "RXPF", "SHIP", "THEF", "TRVF",
  "UNKN", "TELF",
]
