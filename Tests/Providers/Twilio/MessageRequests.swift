import Domain
import HTTP
import JSON
import Support
import Testing

/// Shorthand for tests of messages.
extension TwilioWorld {
  static let messages = "/2010-04-01/Accounts/\(account)/Messages"
  static let sender = "+15005550006"

  func postMessage(_ form: [(String, String)]) throws -> Exchange {
    try post("\(Self.messages).json", pairs: form)
  }

  func sendMessage(
    to number: String = number, from: String = sender, body: String = "Hello",
    _ more: [(String, String)] = []
  ) throws -> Exchange {
    try postMessage([("To", number), ("From", from), ("Body", body)] + more)
  }

  func sentMessage(_ more: [(String, String)] = []) throws -> MessageItem {
    try MessageItem(sendMessage(more))
  }

  func fetchMessage(_ sid: String) throws -> MessageItem {
    try MessageItem(get("\(Self.messages)/\(sid).json"))
  }

  func listMessages(_ query: String = "") throws -> MessageItem {
    try MessageItem(get("\(Self.messages).json?\(query)"))
  }
}

extension Exchange {
  var errorCode: Int {
    get throws { try decode(ErrorAnswer.self).code }
  }
}

/// A resource or a page.
struct MessageItem {
  let json: JSON

  init(_ exchange: Exchange) throws {
    json = try JSON(parsing: Array(exchange.answer.drop { $0 != "{" }.utf8))
    try #require(exchange.answer.hasPrefix("20"), "\(exchange.answer)")
  }

  /// Nil for `null` too.
  subscript(name: String) -> String? { json[name]?.text }

  var sid: String { self["sid"] ?? "" }
  var sids: [String] { (json["messages"]?.items ?? []).compactMap { $0["sid"]?.text } }
}
