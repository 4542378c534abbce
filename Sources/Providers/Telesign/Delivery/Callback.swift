import Crypto
import ProviderKit

// Callbacks about a message are sent when its status is final, those of the Verify API at every change.
// Source: contract 13.

/// What a callback is about. Each kind has its own body.
enum CallbackKind: String, CaseIterable {
  /// Verify API; the subject is the verification. Source: contract 13.4.
  case verification
  /// SMS, Voice and Smart Verify; the subject is the verification. Source: contract 13.2.
  case verifyDelivery = "verify.delivery"
  /// SMS and Voice; the subject is the message. Source: contract 13.3.
  case messageDelivery = "message.delivery"
  /// Omnichannel; the subject is the last message. The provider documents the callback, but not its body.
  /// Source: contract 9.2 for the codes.
  case omnichannelDelivery = "omnichannel.delivery"
}

/// A callback to send.
struct Callback {
  let kind: CallbackKind
  /// The ordinal of the verification or message.
  let subject: Int
  let reference: String
  /// The customer whose key signs the callback.
  let customer: String
  /// The customer's own id for the request.
  var externalID: String?
  /// How much older than the truth its times are.
  var age = Duration.zero

  init(_ kind: CallbackKind, of subject: Int, as reference: String, for customer: String) {
    self.kind = kind
    self.subject = subject
    self.reference = reference
    self.customer = customer
  }

  /// Reads what `encoded` wrote.
  init(_ draft: WebhookDraft) throws {
    guard let kind = CallbackKind(rawValue: draft.kind) else {
      throw FieldError(path: "$.kind", expected: "a kind of callback", found: draft.kind)
    }
    let fields = try Fields(Array(draft.detail.utf8))
    self.init(
      kind, of: draft.subject, as: try fields.string("reference"), for: try fields.string("customer"))
    externalID = try fields.optionalString("externalId")
  }

  /// The stored form, a JSON object.
  fileprivate var encoded: String {
    return JSONWriter.text { json in
      json.member("reference", reference)
      json.member("customer", customer)
      json.member("externalId", externalID)
    }
  }

  /// Enqueues the callback for a time. Does nothing without a URL, or without a time. Source: contract 13.1.
  func schedule(at time: Timestamp?, to url: String?, in sandbox: Sandbox) throws {
    guard let url, let time else { return }
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: TelesignProvider.name, url: url, kind: kind.rawValue, subject: subject, detail: encoded),
      dueAt: time)
  }

  /// Moves the callbacks of a message that the carrier had held: it has arrived now. Source: contract 13.1.
  static func reschedule(of message: Message, in sandbox: Sandbox) throws {
    guard let (kind, ordinal) = ReferenceID.resolve(message.reference, in: sandbox) else { return }
    if kind == .verification {
      try VerificationCallbacks(of: ordinal, in: sandbox)?.scheduleDelivery(of: message)
      return
    }
    let planned = try [ordinal, message.ordinal].flatMap {
      try sandbox.webhooks.planned(about: $0, by: TelesignProvider.name)
    }
    for webhook in planned {
      let callback = try Callback(webhook.draft)
      guard callback.reference == message.reference else { continue }
      try sandbox.webhooks.cancel(webhook)
      let timeline = try DeliveryTimeline(of: message, in: sandbox)
      try callback.schedule(at: timeline.finalEntry?.at, to: webhook.draft.url, in: sandbox)
    }
  }

  /// The signed request of a callback; nil if its subject no longer exists. Source: contract 13.1.
  static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    var callback = try Callback(webhook.draft)
    callback.age = webhook.timestampAge
    guard let body = try callback.body(at: webhook.nextAt ?? webhook.createdAt, in: sandbox) else {
      return nil
    }
    return try sign(body, for: callback.customer, in: sandbox)
  }

  /// Signs the bytes of the body. Two headers have the signature, because receivers look at either.
  /// If the sandbox does not know the customer's keys, it signs with its own. Source: contract 13.1.
  static func sign(_ body: [UInt8], for customer: String, in sandbox: Sandbox) throws -> WebhookRequest {
    let account =
      try sandbox.accounts.find(customer, of: TelesignProvider.name)
      ?? sandbox.accounts.all(of: TelesignProvider.name).first
    guard let key = account.flatMap({ $0.apiKeys.first }) else { return .json(body) }
    let digest = HMAC.authenticate(body, key: Base64.decodeForgiving(key), .sha256)
    let signature = Base64.encode(digest)
    return .json(
      body, WebhookRequest.Field("Authorization", "TSA \(customer):\(signature)"),
      WebhookRequest.Field("X-TS-Authorization", signature))
  }
}

/// The bodies of callbacks. Source: contract 13.2 to 13.4.
extension Callback {
  /// The body with the state at a time; nil if the subject no longer exists.
  fileprivate func body(at time: Timestamp, in sandbox: Sandbox) throws -> [UInt8]? {
    switch kind {
    case .verification: try VerificationCallbacks(of: subject, in: sandbox)?.body()
    case .verifyDelivery: try verifyBody(at: time, in: sandbox)
    case .messageDelivery, .omnichannelDelivery: try messageBody(at: time, in: sandbox)
    }
  }

  /// SMS, Voice and Smart Verify. Source: contract 13.2.
  private func verifyBody(at time: Timestamp, in sandbox: Sandbox) throws -> [UInt8]? {
    guard let verification = try sandbox.verifications.find(subject),
      let message = try sandbox.messages.find(about: reference, to: verification.claim.destination)
    else { return nil }
    let details: LegacyDetails = try verification.details.record()
    let entry = try DeliveryTimeline(of: message, in: sandbox).entry(at: time)
    let info = try AdditionalInfo(of: message, in: sandbox)
    return JSONWriter.object { json in
      json.member("reference_id", reference)
      json.member("sub_resource", details.subResource)
      json.member("errors", [String]())
      write(entry, to: &json)
      json.member("submit_timestamp", (message.submittedAt - age).iso8601Microseconds)
      json.object("verify") { json in
        json.member("code_state", details.codeState.rawValue)
        json.member("code_entered", details.enteredCode)
      }
      info.write(to: &json)
    }
  }

  /// Messages and calls without a verification. Source: contract 13.3.
  private func messageBody(at time: Timestamp, in sandbox: Sandbox) throws -> [UInt8]? {
    guard let message = try sandbox.messages.find(subject) else { return nil }
    var entry = try DeliveryTimeline(of: message, in: sandbox).entry(at: time)
    if kind == .omnichannelDelivery {
      let code = DeliveryStatus(of: message, at: time).omnichannelCode
      entry = DeliveryTimeline.Entry(at: entry.at, code: code, isFinal: entry.isFinal)
    }
    let info = try AdditionalInfo(of: message, in: sandbox)
    return JSONWriter.object { json in
      json.member("reference_id", reference)
      json.member("external_id", externalID)
      write(entry, to: &json)
      json.member("submit_timestamp", (message.submittedAt - age).iso8601Microseconds)
      info.write(to: &json)
    }
  }

  private func write(_ entry: DeliveryTimeline.Entry, to json: inout JSONWriter) {
    json.object("status") { json in
      json.member("code", entry.code)
      json.member("description", StatusTexts[entry.code])
      json.member("updated_on", (entry.at - age).iso8601Microseconds)
    }
  }
}
