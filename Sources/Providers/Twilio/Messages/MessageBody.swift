import Domain
import HTTP
import JSON
import ProviderKit

/// Finding messages, and their form in responses. Source: contract 16.2.
extension RequestContext {
  /// The account of the path.
  var pathAccount: String { request[parameter: "account"] }

  /// Fails with 20404 for another account than the caller's.
  func requireAccount() throws(APIError) {
    guard caller.canSee(pathAccount), SidKind.account.matches(pathAccount) else {
      throw APIError.notFound(request.target.path)
        .because("\(caller.account) does not see account \(pathAccount)")
    }
  }

  /// The message of the path.
  func message() throws -> StoredMessage {
    try requireAccount()
    let sid = request[parameter: "message"]
    guard let message = try StoredMessage.table.find(sid, in: sandbox), message.account == pathAccount else {
      throw APIError.notFound(request.target.path).because("no message \(sid) of account \(pathAccount)")
    }
    return message
  }

  func body(of message: StoredMessage) throws -> [UInt8] {
    let progress = try MessageProgress(of: message, in: sandbox)
    return JSONWriter.object { message.write(progress, to: &$0) }
  }
}

extension StoredMessage {
  /// URIs have no host, whatever the client called.
  var path: String { "/2010-04-01/Accounts/\(account)/Messages/\(sid)" }

  func write(_ progress: MessageProgress, to json: inout JSONWriter) {
    json.member("account_sid", account)
    json.member("api_version", "2010-04-01")
    json.member("body", body)
    json.member("date_created", createdAt.rfc2822)
    json.member("date_sent", progress.sentAt?.rfc2822)
    json.member("date_updated", progress.changedAt.rfc2822)
    json.member("direction", direction.rawValue)
    json.member("error_code", progress.failure?.code)
    json.member("error_message", progress.failure?.message)
    json.member("from", from ?? progress.chosenSender)
    json.member("messaging_service_sid", messagingService)
    json.member("num_media", String(mediaNumbers.count))
    json.member("num_segments", String(segments))
    // The vendor fills it in some time after the delivery.
    json.null("price")
    json.member("price_unit", "USD")
    json.member("sid", sid)
    json.member("status", progress.status.rawValue)
    json.object("subresource_uris") {
      $0.member("media", "\(path)/Media.json")
      $0.member("feedback", "\(path)/Feedback.json")
    }
    json.member("to", to)
    json.member("uri", "\(path).json")
  }
}

extension Timestamp {
  /// `Mon, 05 Jan 2026 10:20:30 +0000`. Source: contract 2.2.
  var rfc2822: String { httpDate.replacing("GMT", with: "+0000") }
}
