/// A webhook that a provider wants sent: what it is about, not yet its bytes.
package struct WebhookDraft: Equatable, Sendable {
  /// The provider that sends it.
  package let provider: String
  /// Where it goes: an http or https URL.
  package let url: String
  /// The provider's own word for what it tells.
  package let kind: String
  /// The ordinal of what it is about.
  package let subject: Int
  /// What the provider needs to word it later: a JSON object.
  package let detail: String

  /// A draft from its parts.
  package init(provider: String, url: String, kind: String, subject: Int, detail: String = "{}") {
    self.provider = provider
    self.url = url
    self.kind = kind
    self.subject = subject
    self.detail = detail
  }
}
