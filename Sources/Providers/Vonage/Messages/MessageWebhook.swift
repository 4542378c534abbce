import ProviderKit

/// A signed webhook of Messages, whose body follows from its event.
struct MessageWebhook {
  let application: String?
  let body: String

  init(application: String?, body: String) { (self.application, self.body) = (application, body) }

  /// Reads what `encoded` wrote.
  init(_ draft: WebhookDraft) throws {
    let fields = try Fields(Array(draft.detail.utf8))
    self.init(application: try fields.optionalString("application"), body: try fields.string("body"))
  }

  private var encoded: String {
    JSONWriter.text { json in
      json.member("application", application)
      json.member("body", body)
    }
  }

  func enqueue(
    _ kind: StatusKind, to url: String, about subject: Int, at time: Timestamp, in sandbox: Sandbox
  ) throws {
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: VonageProvider.name, url: url, kind: kind.rawValue, subject: subject, detail: encoded),
      dueAt: time)
  }
}
