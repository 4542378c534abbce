import Crypto
import ProviderKit

/// A webhook of SMS, in any of three forms. Its bytes follow from its event, so they are made at once.
/// Source: `senders.md` 5.
struct SMSWebhook {
  enum Method: String, CaseIterable {
    case json = "POST-JSON"
    case form = "POST"
    case query = "GET"
  }

  let url: String
  private let method: Method
  private let body: String

  /// In the account's form, and signed if the account signs. `time`: when it is sent.
  init(_ members: [SMSSignature.Parameter], to url: String, at time: Timestamp, in sandbox: Sandbox) throws {
    let settings = try Settings.current(in: sandbox)
    var members = members
    if settings.signWebhooks, let account = try AccountSecrets.current(in: sandbox) {
      let nonce = sandbox.entropy.secret("nonce \(members) \(time)", length: 32, of: .hex)
      members += [("timestamp", String(time.unixSeconds)), ("nonce", UUIDText.version4(nonce))]
      let signature = SMSSignature.sign(members, by: settings.signatureMethod, secret: account.signature)
      members.append(("sig", signature.uppercased()))
    }
    method = settings.smsWebhookMethod
    let form = members.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
      .joined(separator: "&")
    switch method {
    case .json:
      body = JSONWriter.text { json in for (name, value) in members { json.member(named: name, value) } }
    case .form: body = form
    case .query: body = ""
    }
    self.url = method == .query ? "\(url)\(url.contains("?") ? "&" : "?")\(form)" : url
  }

  /// Reads what `encoded` wrote.
  init(_ draft: WebhookDraft) throws {
    let fields = try Fields(Array(draft.detail.utf8))
    url = draft.url
    method = try Method(rawValue: fields.string("method")) ?? .json
    body = try fields.string("body")
  }

  private var encoded: String {
    JSONWriter.text { json in
      json.member("method", method.rawValue)
      json.member("body", body)
    }
  }

  /// `subject`: the ordinal of the carrier's message.
  func enqueue(_ kind: StatusKind, about subject: Int, at time: Timestamp, in sandbox: Sandbox) throws {
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: VonageProvider.name, url: url, kind: kind.rawValue, subject: subject, detail: encoded),
      dueAt: time)
  }

  var request: WebhookRequest {
    let agent = WebhookRequest.Field("User-Agent", "Vonage/MessagingHUB/v1.0")
    let bytes = Array(body.utf8)
    return switch method {
    case .json: .json(bytes, agent)
    case .form:
      WebhookRequest(
        fields: [.init("Content-Type", "application/x-www-form-urlencoded"), agent], body: bytes)
    case .query: WebhookRequest(.get, fields: [agent], body: [])
    }
  }
}

extension Timestamp {
  /// `2030-01-01 00:00:00`
  var sqlText: String { iso8601.replacing("T", with: " ").replacing("Z", with: "") }

  /// `YYMMDDHHMM`
  var receiptText: String { String(iso8601.filter(\.isNumber).dropFirst(2).prefix(10)) }
}
