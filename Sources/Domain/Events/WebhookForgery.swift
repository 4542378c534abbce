package import JSON

/// A webhook that is made by hand, and looks as if a provider had sent it.
package struct WebhookForgery {
  package enum Content {
    /// A body that is sent to a URL as the provider would send it. Without a kind: the provider's first one.
    case body(JSON, kind: String?, url: String)
    /// The bytes of another webhook, sent to its URL.
    case copy(WebhookDraft, WebhookRequest)
  }

  package let provider: String
  package let content: Content
  /// What is wrong with it; nothing for one that the receiver cannot tell from the provider's.
  package let fault: WebhookFault

  package init(of provider: String, _ content: Content, fault: WebhookFault) {
    self.provider = provider
    self.content = content
    self.fault = fault
  }
}
