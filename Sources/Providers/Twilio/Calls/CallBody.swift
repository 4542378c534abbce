import ProviderKit

/// A call in responses.
struct CallBody {
  private let call: StoredCall
  /// True in the answer to the creation, which has fewer values than all later ones.
  private let isNew: Bool
  private let sandbox: Sandbox

  init(_ call: StoredCall, isNew: Bool = false, in sandbox: Sandbox) {
    (self.call, self.isNew, self.sandbox) = (call, isNew, sandbox)
  }

  var json: [UInt8] { JSONWriter.object { write(to: &$0) } }

  func write(to json: inout JSONWriter) {
    let changedAt = max(call.changedAt, call.createdAt)
    json.member("date_updated", isNew ? nil : changedAt.rfc2822)
    json.member("price_unit", "USD")
    json.null("parent_call_sid")
    json.member("caller_name", isNew ? nil : "")
    json.member("duration", isNew ? nil : String(call.seconds))
    json.member("from", call.from)
    json.member("to", call.to)
    json.null("annotation")
    json.member("answered_by", call.answeredBy?.rawValue)
    json.member("sid", call.sid)
    json.member("queue_time", "0")
    json.member("price", price)
    json.member("api_version", "2010-04-01")
    json.member("status", call.status(at: sandbox.clock.now).rawValue)
    json.member("direction", "outbound-api")
    json.member("start_time", call.answeredAt?.rfc2822)
    json.member("date_created", isNew ? nil : call.createdAt.rfc2822)
    json.member("from_formatted", Self.formatted(call.from))
    json.null("group_sid")
    json.member("trunk_sid", isNew ? nil : "")
    json.null("forwarded_from")
    json.member("uri", "\(call.path).json")
    json.member("account_sid", call.account)
    json.member("end_time", call.endedAt?.rfc2822)
    json.member("to_formatted", Self.formatted(call.to))
    json.member(
      "phone_number_sid", "PN" + sandbox.entropy.secret("number \(call.from)", length: 32, of: .hex))
    json.object("subresource_uris") { json in
      for (name, path) in Self.subresources { json.member(named: name, "\(call.path)/\(path).json") }
    }
  }

  private static let subresources: KeyValuePairs = [
    "notifications": "Notifications", "user_defined_messages": "UserDefinedMessages",
    "transcriptions": "Transcriptions", "recordings": "Recordings", "streams": "Streams",
    "payments": "Payments", "user_defined_message_subscriptions": "UserDefinedMessageSubscriptions",
    "siprec": "Siprec", "events": "Events",
  ]

  /// Of a call that was answered, once it is over: 1.4 cents a minute.
  private var price: String? {
    guard call.endedAt != nil, call.answeredAt != nil else { return nil }
    let thousandths = String(14 * max(1, (call.seconds + 59) / 60))
    let digits = String(repeating: "0", count: max(0, 4 - thousandths.count)) + thousandths
    return "-\(digits.dropLast(3)).\(digits.suffix(3))00"
  }

  /// As people in North America write a number; others stay as they are.
  private static func formatted(_ text: String) -> String {
    guard let number = PhoneNumber(text), number.callingCode == "1" else { return text }
    return number.nationalFormat
  }
}

extension StoredCall {
  /// URIs have no host, whatever the client called.
  var path: String { "/2010-04-01/Accounts/\(account)/Calls/\(sid)" }
}
