/// What sandboxes need from the layers above them.
///
/// A class because all sandboxes share one, and it is connected after they exist.
package final class Connections {
  /// Takes a request of an app to a provider's routes. Nil for a request that was not answered in time.
  package var sendAppRequest: ((AppRequest, _ provider: String, Sandbox) -> AppResponse?)?
  /// Keeps the request of a webhook, or ends the webhook.
  package var renderWebhook: ((Webhook, Sandbox) throws -> Void)?
  /// Enqueues a webhook that is made by hand. Nil for a provider without webhooks.
  package var forgeWebhook: ((WebhookForgery, Sandbox) throws -> Webhook?)?
}
