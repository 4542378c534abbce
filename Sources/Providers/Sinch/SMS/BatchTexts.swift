import Crypto
import ProviderKit

/// The texts of a batch: each recipient's own, if it has parameters.
struct BatchTexts {
  struct Text {
    let text: String
    /// The values of the parameters in it.
    let values: [String]
  }

  private let body: String
  /// `{name: {number: value}}`; nil: the body is the text.
  private let parameters: JSON?
  private let maxParts: Int?
  private let isTruncated: Bool

  init(of batch: Batch) {
    body = Self.text(of: batch.body, batch.kind)
    parameters = batch.parameters
    maxParts = batch.maxParts
    isTruncated = batch.isTruncated ?? false
  }

  /// In bytes, at most.
  var longest: Int { parameters == nil ? body.utf8.count : max(2000, body.utf8.count) }

  /// The text for a recipient, or the code of the reason that there is none. Source: `senders.md` 7.
  func text(for recipient: String) -> Result<Text, Refusal> {
    var (values, isComplete) = ([String](), true)
    var text = body
    if let parameters {
      text = Placeholders.dollarBraces.fill(body) { name in
        let own = parameters[name]
        guard case .string(let value)? = own?[recipient] ?? own?["default"] else {
          isComplete = false
          return nil
        }
        values.append(value)
        return value
      }
    }
    guard isComplete else { return .failure(.parameter) }
    if isTruncated { text = Self.shortened(text) }
    if let maxParts, TextEncoding(of: text).segments > maxParts { return .failure(.parts) }
    return .success(Text(text: text, values: values))
  }

  /// Codes of recipients who get no text.
  enum Refusal: Int, Error {
    case unroutable = 402
    case parameter = 405
    case expired = 406
    case sender = 410
    case parts = 411
  }

  /// As much as fits into one part.
  private static func shortened(_ text: String) -> String {
    var text = text
    if text.count > 160 { text = String(text.prefix(160)) }
    while TextEncoding(of: text).segments > 1 { text.removeLast() }
    return text
  }

  /// What the handset shows: a binary message as text, or else its bytes in hex.
  private static func text(of body: JSON, _ kind: Batch.Kind) -> String {
    switch (kind, body) {
    case (.binary, .string(let text)):
      let bytes = Base64.decode(text) ?? []
      return String(utf8: bytes[...]) ?? Hex.encode(bytes)
    case (_, .string(let text)): return text
    default:
      let parts = ["message", "url"].compactMap { name -> String? in
        if case .string(let text)? = body[name] { text } else { nil }
      }
      return parts.joined(separator: "\n")
    }
  }
}
