import JSON

/// A body that is no JSON, in the words of Google's parser. Source: contract, additions (P36)
struct MalformedJSON {
  let body: [UInt8]
  let error: SyntaxError

  /// What the parser met, then the text around the place, and a caret below the place.
  var message: String {
    let before = body.prefix(error.offset).suffix(Self.excerptSize)
    let excerpt = String(decoding: before + rest.prefix(Self.excerptSize), as: UTF8.self)
    let indent = before.map { _ in " " }.joined()
    return "Invalid JSON payload received. \(finding)\n\(excerpt)\n\(indent)^"
  }

  /// In bytes, before and after the place.
  private static let excerptSize = 20

  private var rest: ArraySlice<UInt8> { body.dropFirst(error.offset) }

  private var finding: String {
    switch error.reason {
    case .value where isToken: "Unexpected token."
    case .value where isInArray: missing("Expected a value or ] within an array.")
    case .value: missing("Expected a value.")
    case .memberName: missing("Expected an object key or }.")
    case .colon: missing("Expected : between key:value pair.")
    case .commaOrBrace: missing("Expected , or } after key:value pair.")
    case .commaOrBracket: missing("Expected , or ] after array value.")
    case .closingQuote: "Closing quote expected in string."
    case .escape, .hexDigit: "Invalid escape sequence."
    case .digit: "Unable to parse number."
    case .literal: "Unexpected token."
    case .end: "Parsing terminated before end of input."
    case .other(let expected): "Expected \(expected)."
    }
  }

  private func missing(_ expected: String) -> String {
    rest.isEmpty ? "Unexpected end of string. \(expected)" : expected
  }

  /// True for a word or a symbol in the place of a value.
  private var isToken: Bool {
    rest.first.map { $0.isAlphanumeric || "_$}]:,".utf8.contains($0) } ?? false
  }

  private var isInArray: Bool {
    body.prefix(error.offset).last { $0 > 0x20 }.map { "[,".utf8.contains($0) } ?? false
  }
}
