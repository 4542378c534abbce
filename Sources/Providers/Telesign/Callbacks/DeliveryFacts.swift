import Domain
import JSON
import ProviderKit

/// What is told of a delivery beside its status: `additional_info`. The price is the sandbox's own.
/// Source: contract 9.1 and 13.2.
struct DeliveryFacts {
  private let parts: Int
  private let subscriber: Subscriber?

  /// The facts of a message.
  init(of message: Message, in sandbox: Sandbox) throws {
    parts = TextEncoding(of: message.text).segments
    subscriber = try PhoneNumber(message.destination).map { try sandbox.subscribers[$0] }
  }

  /// Writes the object.
  func write(to json: inout JSONWriter) {
    json.object("additional_info") { json in
      json.member("message_parts_count", parts)
      json.member("mcc", subscriber?.mcc)
      json.member("mnc", subscriber?.mnc)
      json.member("price", "0.00850")
      json.member("currency", "USD")
    }
  }
}
