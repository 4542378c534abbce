import ProviderKit

/// A message in responses. Source: contract 16.2.
struct MessageBody {
  private let message: StoredMessage
  private let progress: MessageProgress

  init(_ message: StoredMessage, in sandbox: Sandbox) throws {
    self.init(message, progress: try MessageProgress(of: message, in: sandbox))
  }

  init(_ message: StoredMessage, progress: MessageProgress) {
    self.message = message
    self.progress = progress
  }

  var json: [UInt8] { JSONWriter.object { write(to: &$0) } }

  func write(to json: inout JSONWriter) {
    json.member("account_sid", message.account)
    json.member("api_version", "2010-04-01")
    json.member("body", message.body)
    json.member("date_created", message.createdAt.rfc2822)
    json.member("date_sent", progress.sentAt?.rfc2822)
    json.member("date_updated", progress.changedAt.rfc2822)
    json.member("direction", message.direction.rawValue)
    json.member("error_code", progress.failure?.code)
    json.member("error_message", progress.failure?.message)
    json.member("from", message.from ?? progress.chosenSender)
    json.member("messaging_service_sid", message.messagingService)
    json.member("num_media", String(message.mediaNumbers.count))
    json.member("num_segments", String(message.segments))
    // The provider fills it in some time after the delivery.
    json.null("price")
    json.member("price_unit", "USD")
    json.member("sid", message.sid)
    json.member("status", progress.status.rawValue)
    json.object("subresource_uris") {
      $0.member("media", "\(message.path)/Media.json")
      $0.member("feedback", "\(message.path)/Feedback.json")
    }
    json.member("to", message.to)
    json.member("uri", "\(message.path).json")
  }
}

extension StoredMessage {
  /// URIs have no host, whatever the client called.
  var path: String { "/2010-04-01/Accounts/\(account)/Messages/\(sid)" }
}

extension Timestamp {
  /// `Mon, 05 Jan 2026 10:20:30 +0000`. Source: contract 2.2.
  var rfc2822: String { httpDate.replacing("GMT", with: "+0000") }
}
