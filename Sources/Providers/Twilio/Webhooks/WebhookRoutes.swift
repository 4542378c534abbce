import ProviderKit

extension TwilioProvider {
  static var webhookRoutes: [Route<Sandbox>] {
    [
      .get("/v2/Services/{service}/Webhooks", as: "listWebhooks", authenticated(listWebhooks)),
      .post("/v2/Services/{service}/Webhooks", as: "createWebhook", authenticated(createWebhook)),
      .get("/v2/Services/{service}/Webhooks/{webhook}", as: "fetchWebhook", authenticated(fetchWebhook)),
      .post("/v2/Services/{service}/Webhooks/{webhook}", as: "updateWebhook", authenticated(updateWebhook)),
      .delete("/v2/Services/{service}/Webhooks/{webhook}", as: "deleteWebhook", authenticated(deleteWebhook)),
    ]
  }
}
