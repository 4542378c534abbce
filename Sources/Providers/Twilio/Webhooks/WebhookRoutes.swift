import ProviderKit

extension TwilioProvider {
  static var webhookRoutes: [Route<Sandbox>] {
    let webhook: Pattern = "/v2/Services/{service}/Webhooks/{webhook}"
    return [
      .get("/v2/Services/{service}/Webhooks", as: "listWebhooks", authenticated(ServiceWebhook.list)),
      .post("/v2/Services/{service}/Webhooks", as: "createWebhook", authenticated(ServiceWebhook.create)),
      .get(webhook, as: "fetchWebhook", authenticated(ServiceWebhook.fetch)),
      .post(webhook, as: "updateWebhook", authenticated(ServiceWebhook.update)),
      .delete(webhook, as: "deleteWebhook", authenticated(ServiceWebhook.delete)),
    ]
  }
}
