import ProviderKit

/// The requests of a call to the app: status callbacks, and those for documents.
enum CallRequest {
  static let statusKind = "call.status"
  static let documentKind = "call.document"
  static let kinds = [statusKind, documentKind]

  /// In the order of recorded requests. Those with a sequence number are status callbacks.
  static func parameters(
    of call: StoredCall, status: String, at time: Timestamp, sequenceNumber: Int? = nil,
    sipCode: String? = nil, _ extras: KeyValuePairs<String, String?> = [:]
  ) -> SignedBody {
    let hasEnded = call.endedAt != nil && sequenceNumber != nil
    let (to, from) = (PhoneNumber(call.to)?.country ?? "", PhoneNumber(call.from)?.country ?? "")
    let seconds = call.seconds
    let parameters: KeyValuePairs<String, String?> = [
      "Called": call.to, "ToState": "", "CallerCountry": from, "Direction": "outbound-api",
      "Timestamp": time.rfc2822, "CallbackSource": sequenceNumber.map { _ in "call-progress-events" },
      "SipResponseCode": sipCode, "CallerState": "", "ToZip": "",
      "SequenceNumber": sequenceNumber.map { String($0) }, "CallSid": call.sid, "To": call.to,
      "CallerZip": "", "ToCountry": to, "CalledZip": "", "ApiVersion": "2010-04-01", "CalledCity": "",
      "CallStatus": status, "Duration": hasEnded ? String((seconds + 59) / 60) : nil, "From": call.from,
      "CallDuration": hasEnded ? String(seconds) : nil, "AccountSid": call.account, "CalledCountry": to,
      "CallerCity": "", "ToCity": "", "FromCountry": from, "Caller": call.from, "FromCity": "",
      "CalledState": "", "FromZip": "", "AnsweredBy": call.answeredBy?.rawValue, "FromState": "",
    ]
    return SignedBody(form: parameters).adding(extras)
  }

  /// Returns the ordinal of the webhook.
  static func enqueue(
    _ parameters: SignedBody, to address: Address, kind: String, of call: StoredCall, in sandbox: Sandbox
  ) throws -> Int {
    try sandbox.webhooks.enqueue(
      parameters.draft(to: address, kind: kind, subject: call.carrierOrdinal, of: call.account)
    ).ordinal
  }

  /// With the cookies of the call.
  static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest {
    let request = try SignedBody.request(for: webhook, in: sandbox)
    guard webhook.draft.kind == documentKind,
      let call = try sandbox.messages.find(webhook.draft.subject).flatMap({
        try StoredCall.table.find($0.reference, in: sandbox)
      }), !call.script.cookies.isEmpty
    else { return request }
    return request.adding([.init("Cookie", call.script.cookies.joined(separator: "; "))])
  }

  /// The document of an answer: TwiML, a text to say, or a sound to play.
  static func document(in answer: WebhookAnswer, of address: Address) throws(TwiMLError) -> [UInt8] {
    let type = answer.values("Content-Type").first?.prefix { $0 != ";" }.lowercased() ?? ""
    let name = type.split(whereSeparator: \.isWhitespace).joined()
    switch name {
    case "", "text/xml", "application/xml", "text/html": return answer.body
    case "text/plain":
      let text = XMLElement.escaped(String(decoding: answer.body, as: UTF8.self))
      return Twimlet.response("<Say>\(text)</Say>")
    case _ where name.hasPrefix("audio/"):
      return Twimlet.response("<Play>\(XMLElement.escaped(address.url))</Play>")
    default:
      throw TwiMLError(.wrongType, "expected the content type text/xml; found \(name.quoted)")
    }
  }
}
