import HTTP
import JSON
import ProviderKit

/// Parameters that the products have in common, each refused by itself. Source: contract 7.1 to 7.3.
extension Call {
  /// A text of at most so many characters, where there is one.
  func text(_ name: String, upTo limit: Int) throws -> String? {
    guard let text = try field(name) else { return nil }
    guard text.count <= limit else {
      throw Problem.invalidParameter(name, expected: "at most \(limit) characters")
    }
    return text
  }

  /// The caller's own code.
  func ownCode(_ digits: ClosedRange<Int>) throws -> String? {
    guard let code = try field("verify_code") else { return nil }
    guard digits.contains(code.utf8.count), code.utf8.allSatisfy({ $0.isDigit }) else {
      throw Problem.invalidParameter(
        "verify_code", expected: "\(digits.lowerBound) to \(digits.upperBound) digits")
    }
    return code
  }

  /// Checks what describes the request and changes nothing: why it is made, and from where.
  func checkCircumstances() throws {
    if let cause = try field("ucid"), !useCases.contains(cause) {
      throw Problem.invalidParameter(
        "ucid", expected: "one of \(useCases.joined(separator: ", "))")
    }
    if let address = try field("originating_ip"), !IPAddress.isValid(address) {
      throw Problem.invalidParameter("originating_ip", expected: "an address of IPv4 or IPv6")
    }
  }

  /// One of two words for yes and no; nil where nothing is said.
  func flag(_ name: String) throws -> Bool? {
    switch try field(name)?.lowercased() {
    case nil: nil
    case "true", "1": true
    case "false", "0": false
    default: throw Problem.invalidParameter(name, expected: "true or false")
    }
  }
}

/// What a code is wanted for; the last is an older spelling. Source: contract 7.1.
let useCases = [
  "ATCK", "BACF", "BACS", "CHBK", "CLDR", "LEAD", "OTHR", "PWRT", "RESV", "RXPF", "SHIP", "THEF", "TRVF",
  "UNKN", "TELF",
]
