import Crypto
package import Domain
import JSON
import ProviderKit

// Callbacks: what becomes of a message is told to a URL once it is final. Source: contract 13.

/// What a callback is about; each kind has a body of its own, which `callbackBody` knows.
enum CallbackKind: String {
  /// Verify API; the subject is the verification. Source: contract 13.4.
  case verification
  /// SMS, Voice and Smart Verify; the subject is the verification. Source: contract 13.2.
  case verifyDelivery = "verify.delivery"
  /// SMS and Voice; the subject is the message. Source: contract 13.3.
  case messageDelivery = "message.delivery"
  /// Messages over several channels; the subject is the last of them. Source: contract 9.2 for the numbers; that
  /// there is such a callback is documented, its body is not.
  case omnichannelDelivery = "omnichannel.delivery"
}

/// One callback that is wanted, without its time.
struct Callback {
  /// What it is about.
  let kind: CallbackKind
  /// The ordinal of what it is about.
  let subject: Int
  /// The reference id that it names.
  let reference: String
  /// The customer whose key signs it.
  let customer: String
  /// The customer's own id of it.
  var externalID: String?

  /// A callback from its parts.
  init(_ kind: CallbackKind, of subject: Int, as reference: String, for customer: String) {
    self.kind = kind
    self.subject = subject
    self.reference = reference
    self.customer = customer
  }

  /// Reads what `encoded` wrote.
  init(_ draft: WebhookDraft) throws {
    guard let kind = CallbackKind(rawValue: draft.kind) else {
      preconditionFailure("no kind of callback: \(draft.kind)")
    }
    let fields = try Fields(Array(draft.detail.utf8))
    self.init(
      kind, of: draft.subject, as: try fields.string("reference"), for: try fields.string("customer"))
    externalID = try fields.optionalString("externalId")
  }

  /// As the webhook keeps it.
  fileprivate var encoded: String {
    let bytes = JSONWriter.object { json in
      json.member("reference", reference)
      json.member("customer", customer)
      json.member("externalId", externalID)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Sees to it that a callback comes when there is nothing more to say of a message; never where there is no URL,
/// or the last word never comes. Source: contract 13.1.
func promise(
  _ callback: Callback, at end: Course.Step?, to url: String?, in sandbox: Sandbox
) throws {
  try promise(callback, at: end?.at, to: url, in: sandbox)
}

/// Sees to it that a callback comes at a time, where there is one and a URL.
func promise(
  _ callback: Callback, at time: Timestamp?, to url: String?, in sandbox: Sandbox
) throws {
  guard let url, let time else { return }
  try sandbox.webhooks.enqueue(
    WebhookDraft(
      provider: TelesignProvider.name, url: url, kind: callback.kind.rawValue, subject: callback.subject,
      detail: callback.encoded),
    dueAt: time)
}

/// Tells now what was to be told later of a message that was held: it has arrived. Source: contract 13.1.
func tellNow(of message: Message, in sandbox: Sandbox) throws {
  guard let (kind, ordinal) = resolve(message.reference, in: sandbox) else { return }
  if kind == .verification { return try tellRelease(of: message, ordinal, in: sandbox) }
  let planned = try [ordinal, message.ordinal].flatMap {
    try sandbox.webhooks.planned(about: $0, by: TelesignProvider.name)
  }
  for webhook in planned {
    let callback = try Callback(webhook.draft)
    guard callback.reference == message.reference else { continue }
    try sandbox.webhooks.cancel(webhook)
    try promise(callback, at: Course(of: message, in: sandbox).end, to: webhook.draft.url, in: sandbox)
  }
}

extension TelesignProvider {
  /// Words a callback and signs it. Source: contract 13.1.
  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    let callback = try Callback(webhook.draft)
    guard let body = try callbackBody(callback, at: webhook.nextAt ?? webhook.createdAt, in: sandbox) else {
      return nil
    }
    return try signed(body, for: callback.customer, in: sandbox)
  }
}

/// A callback of this body: the signature is of the bytes and of nothing else, and stands in two headers, because
/// receivers look in either. An account that the sandbox has let in without knowing its keys gets those of the
/// sandbox's own. Source: contract 13.1.
private func signed(
  _ body: [UInt8], for customer: String, in sandbox: Sandbox
) throws -> WebhookRequest {
  let account =
    try sandbox.accounts.find(customer, of: TelesignProvider.name)
    ?? sandbox.accounts.all(of: TelesignProvider.name).first
  guard let key = account.flatMap({ keys(of: $0).first }) else { return .json(body) }
  let digest = HMAC.authenticate(body, key: Base64.decodeForgiving(key), .sha256)
  let signature = Base64.encode(digest)
  return .json(
    body, WebhookRequest.Field("Authorization", "TSA \(customer):\(signature)"),
    WebhookRequest.Field("X-TS-Authorization", signature))
}

extension Call {
  /// Where the callbacks of a request go: where it says, if the account may say so; else where the account has set.
  /// Source: contract 13.1.
  func callbackURL() throws -> String? {
    guard let text = try field("callback_url") else {
      return settings.callbackURL.isEmpty ? nil : settings.callbackURL
    }
    guard settings.allowsCallback else {
      throw Problem(-20003, in: family)
        .because("callback_url: the account may not set it (setting verify.callback_allowed)")
    }
    guard isCallbackURL(text) else {
      throw Problem.invalidParameter("callback_url", expected: "a URL of http or https")
    }
    return text
  }
}
