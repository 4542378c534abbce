import Domain
import HTTP
import JSON
import Support
import Testing

/// Shorthand for tests of messages.
extension TwilioWorld {
  static let messages = "/2010-04-01/Accounts/\(account)/Messages"

  func sentMessage(_ more: [(String, String)] = []) throws -> MessageItem {
    try MessageItem(
      post(
        "\(Self.messages).json",
        pairs: [("To", Self.number), ("From", "+15005550006"), ("Body", "Hello")] + more))
  }

  func fetchMessage(_ sid: String) throws -> MessageItem {
    try MessageItem(get("\(Self.messages)/\(sid).json"))
  }
}

extension Exchange {
  var errorCode: Int {
    get throws { try decode(ErrorAnswer.self).code }
  }
}

/// A message.
struct MessageItem {
  private let json: JSON

  init(_ exchange: Exchange) throws {
    json = try JSON(parsing: Array(exchange.answer.drop { $0 != "{" }.utf8))
    try #require(exchange.answer.hasPrefix("20"), "\(exchange.answer)")
  }

  /// Nil for `null` too.
  subscript(name: String) -> String? { json[name]?.text }

  var sid: String { self["sid"] ?? "" }
}
