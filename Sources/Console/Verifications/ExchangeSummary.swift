import ProviderKit

/// Requests and answers in a few words.
extension Journal.Exchange {
  /// The operation, with the code that the request has: `checkVerification 000000`.
  var requestSummary: String {
    let operation = route ?? "\(method) \(shownTarget)"
    return enteredCode.map { "\(operation) \($0)" } ?? operation
  }

  /// The status, with the state that the answer has: `201 pending`.
  var answerSummary: String {
    let words = status == 0 ? "no answer" : String(status)
    return answeredState.map { "\(words) \($0)" } ?? words
  }

  /// The names by which providers call a code that a person enters, without punctuation.
  private static let codeNames: Set = ["code", "verifycode", "verificationcode", "securityfactor", "otp"]
  private static let stateNames = ["status", "state", "success"]
  private static let longestCode = 12
  private static let longestState = 24
  private static let longestBody = 4_000

  /// True for one that checks a code.
  var entersCode: Bool { enteredCode != nil }

  private var enteredCode: String? {
    guard method != "GET", bodySizes.request <= Self.longestBody else { return nil }
    if let json = try? JSON(parsing: requestBody) { return Self.code(in: json) }
    let pairs = String(decoding: requestBody, as: UTF8.self).split(separator: "&").map {
      $0.split(separator: "=")
    }
    let found = pairs.first { $0.count == 2 && Self.isCode(String($0[0]), String($0[1])) }
    return found.map { String($0[1]) }
  }

  /// Also in objects within the object.
  private static func code(in json: JSON) -> String? {
    guard case .object(let members) = json else { return nil }
    for member in members {
      if case .string(let text) = member.value, isCode(member.name, text) { return text }
      if let inner = code(in: member.value) { return inner }
    }
    return nil
  }

  private static func isCode(_ name: String, _ value: String) -> Bool {
    codeNames.contains(name.lowercased().filter(\.isLetter)) && (1...longestCode).contains(value.count)
      && value.contains(where: \.isNumber)
  }

  private var answeredState: String? {
    guard bodySizes.response <= Self.longestBody, let json = try? JSON(parsing: responseBody) else {
      return nil
    }
    for name in Self.stateNames {
      if case .string(let text)? = json[name], (1...Self.longestState).contains(text.count) { return text }
    }
    return nil
  }
}
