/// Webhooks that are made by hand.
extension ControlAPI {
  func forgeWebhook(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let forged = try request.decodeBody(ForgedWebhook.self)
    let forgery = try forgery(of: forged, sandbox)
    guard let webhook = try sandboxes.connections.forgeWebhook?(forgery, sandbox) else {
      throw ControlProblem.notFound("provider \(forgery.provider) that sends webhooks")
    }
    return try reply(afterAttemptOf: webhook, sandbox)
  }

  private func forgery(of forged: ForgedWebhook, _ sandbox: Sandbox) throws -> WebhookForgery {
    let original = try forged.like.map { try webhook($0, sandbox) }
    let provider = original?.draft.provider ?? forged.provider ?? ""
    let kind = original?.draft.kind ?? forged.kind
    try sandboxes.seeds.names.validate(webhooksOf: provider, kind: kind, in: "$")
    if let body = forged.body {
      let url = original?.draft.url ?? forged.url ?? ""
      return WebhookForgery(of: provider, .body(body, kind: kind, url: url), fault: forged.fault)
    }
    guard let original, let request = original.request else {
      throw ControlProblem(
        409, at: "$.like", "webhook \(original?.id ?? "") is not due yet, and has no request")
    }
    return WebhookForgery(of: provider, .copy(original.draft, request), fault: forged.fault)
  }
}

struct ForgedWebhook: RequestBody {
  enum Signature: String, CaseIterable {
    case wrong
    case missing
    case valid
  }

  fileprivate var like: String?
  fileprivate var provider: String?
  fileprivate var kind: String?
  fileprivate var url: String?
  fileprivate var body: JSON?
  fileprivate var signature = Signature.wrong
  fileprivate var contentType: String?

  init() {}

  fileprivate var fault: WebhookFault {
    var fault = WebhookFault()
    fault.signature = WebhookFault.Signature(rawValue: signature.rawValue)
    fault.contentType = contentType
    return fault
  }

  static let schema = Schema<ForgedWebhook>(
    "ForgedWebhook", "A webhook that looks as if a provider had sent it.",
    [
      .nullable(
        "like", \.like, .string,
        "The id of a webhook, or latest. It is copied with its provider, kind and URL; without body, also its bytes."
      ),
      .nullable("provider", \.provider, .string, "The provider that seems to send it."),
      .nullable(
        "kind", \.kind, .string,
        "The kind, by the provider's name for it; by default the provider's first one."),
      .nullable("url", \.url, .httpURL, "The receiver."),
      .nullable(
        "body", \.body, .body,
        "The body. It is sent as JSON, or as a form if the provider's webhooks are forms."),
      .field(
        "signature", \.signature, .word, default: .wrong,
        "wrong, as from somebody without the key; missing; or valid, made with the sandbox's key."),
      .nullable(
        "contentType", \.contentType, .contentType, "Another content type than the provider's."),
    ]
  ) { input, forged throws(FieldError) in
    guard forged.like == nil else { return }
    let instead = "or like with the id of a webhook"
    if forged.provider == nil { throw input.mismatch("provider", expected: "a provider, \(instead)") }
    if forged.url == nil { throw input.mismatch("url", expected: "the receiver's URL, \(instead)") }
    if forged.body == nil { throw input.mismatch("body", expected: "an object or an array, \(instead)") }
  }
}

extension FieldType<String> {
  fileprivate static var httpURL: FieldType {
    .text(
      .string(pattern: "^https?://", maxLength: AbsoluteURL.sizeLimit), expected: "an http or https URL"
    ) { AbsoluteURL($0) != nil }
  }
}

extension FieldType<JSON> {
  static var anyObject: FieldType {
    FieldType(.map(.any), expected: "an object") {
      if case .object = $0 { $0 } else { nil }
    } write: {
      $1.value($0)
    }
  }

  fileprivate static var body: FieldType {
    FieldType(.anyOf([.map(.any), .array(.any)]), expected: "an object or an array") {
      switch $0 {
      case .object, .array: $0
      default: nil
      }
    } write: {
      $1.value($0)
    }
  }
}
