import ProviderKit

/// The body of a webhook, made when the webhook is enqueued: a JSON body's hash is part of the URL. Source:
/// contract 14.2.
enum SignedBody: Equatable {
  case form([Parameter])
  /// No body: the parameters are in the URL of a GET request.
  case query([Parameter])
  /// A JSON text.
  case json(String)

  struct Parameter: Equatable {
    let name: String
    let value: String
  }

  /// Leaves out parameters without a value.
  init(form parameters: KeyValuePairs<String, String?>) {
    self = .form(parameters.compactMap { name, value in value.map { Parameter(name: name, value: $0) } })
  }

  /// A JSON object of texts; leaves out parameters without a value.
  init(json parameters: KeyValuePairs<String, String?>) {
    self.init(
      json: JSONWriter.object { json in
        for (name, value) in parameters {
          if let value { json.member(named: name, value) }
        }
      })
  }

  /// A form with more parameters.
  func adding(_ parameters: KeyValuePairs<String, String?>) -> SignedBody {
    guard case .form(let own) = self, case .form(let more) = SignedBody(form: parameters) else { return self }
    return .form(own + more)
  }

  /// A form as the query of a GET request.
  private var inQuery: SignedBody {
    if case .form(let parameters) = self { .query(parameters) } else { self }
  }

  init(json bytes: [UInt8]) { self = .json(String(decoding: bytes, as: UTF8.self)) }

  /// A body of somebody's choice: a form where webhooks of this kind are forms, else JSON.
  init(_ body: JSON, of kind: String, in sandbox: Sandbox) throws {
    let isOfFactor = FactorEvent(rawValue: kind) != nil
    let isForm =
      try isOfFactor
      ? Settings.current(in: sandbox).webhookBody == .form
      : kind == StatusCallback.kind || InboundMessage.Kind(rawValue: kind) != nil
        || CallRequest.kinds.contains(kind)
    guard isForm, case .object(let members) = body else {
      self.init(json: body.encoded())
      return
    }
    self = .form(
      members.compactMap { member in member.value.formText.map { Parameter(name: member.name, value: $0) } })
  }

  /// The URL and the signed request. `account` is the SID of the account whose auth token signs.
  func request(
    to url: String, of account: String, in sandbox: Sandbox
  ) throws -> (url: String, request: WebhookRequest) {
    switch self {
    case .form(let parameters):
      let pairs = parameters.map { ($0.name, $0.value) }
      return (url, try WebhookSignature.form(pairs, to: url, of: account, in: sandbox))
    case .query(let parameters):
      let signedURL = Self.url(url, with: parameters)
      return (signedURL, try WebhookSignature.get(signedURL, of: account, in: sandbox))
    case .json(let text):
      let bytes = Array(text.utf8)
      let signedURL = WebhookSignature.url(url, hashing: bytes)
      return (signedURL, try WebhookSignature.json(bytes, to: signedURL, of: account, in: sandbox))
    }
  }

  /// A form, in the body or in the query, as the address wants it.
  func draft(to address: Address, kind: String, subject: Int, of account: String) -> WebhookDraft {
    (address.method == .get ? inQuery : self)
      .draft(to: address.url, kind: kind, subject: subject, of: account)
  }

  /// `account` is the SID of the account whose auth token signs.
  func draft(to url: String, kind: String, subject: Int, of account: String) -> WebhookDraft {
    let detail = JSONWriter.object { json in
      json.member("account", account)
      switch self {
      case .form(let parameters):
        json.member("names", parameters.map(\.name))
        json.member("values", parameters.map(\.value))
      case .query: break
      case .json(let text): json.member("json", text)
      }
    }
    // The fragment is the sender's: it has the connection overrides.
    let fragment = String(Substring(url.utf8.drop { $0 != UInt8(ascii: "#") }))
    let signedURL =
      switch self {
      case .form: url
      case .query(let parameters): Self.url(url, with: parameters) + fragment
      case .json(let text): WebhookSignature.url(url, hashing: Array(text.utf8)) + fragment
      }
    return WebhookDraft(
      provider: TwilioProvider.name, url: signedURL, kind: kind, subject: subject,
      detail: String(decoding: detail, as: UTF8.self))
  }

  /// The signed request of a webhook that `draft` made.
  static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest {
    let fields = try Fields(Array(webhook.draft.detail.utf8))
    let account = try fields.string("account")
    if let text = try fields.optionalString("json") {
      return try WebhookSignature.json(
        Array(text.utf8), to: webhook.draft.url, of: account, in: sandbox)
    }
    guard let names = try fields.optionalStrings("names") else {
      return try WebhookSignature.get(webhook.draft.url, of: account, in: sandbox)
    }
    let values = try fields.strings("values")
    return try WebhookSignature.form(
      Array(zip(names, values)).map { ($0, $1) }, to: webhook.draft.url, of: account, in: sandbox)
  }

  private static func url(_ url: String, with parameters: [Parameter]) -> String {
    let url = String(url.prefix { $0 != "#" })
    let pairs = parameters.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
    return "\(url)\(url.contains("?") ? "&" : "?")\(pairs.joined(separator: "&"))"
  }

  /// The account that a webhook's body names; else the sandbox's own.
  static func account(in body: JSON, _ sandbox: Sandbox) throws -> String {
    for name in ["AccountSid", "account_sid"] {
      if case .string(let sid)? = body[name] { return sid }
    }
    return try Authentication.defaultAccount(of: sandbox)
  }
}

extension JSON {
  /// The value of a form field; nil for `null`.
  fileprivate var formText: String? {
    switch self {
    case .null: nil
    case .string(let text): text
    default: String(decoding: encoded(), as: UTF8.self)
    }
  }
}
