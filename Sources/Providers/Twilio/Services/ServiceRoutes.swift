import ProviderKit

extension TwilioProvider {
  static var serviceRoutes: [Route<Sandbox>] {
    let configurations: Pattern = "/v2/Services/{service}/MessagingConfigurations"
    let configuration: Pattern = "/v2/Services/{service}/MessagingConfigurations/{country}"
    return [
      .get("/v2/Services", as: "listServices", authenticated(listServices)),
      .post("/v2/Services", as: "createService", authenticated(createService)),
      .get(
        "/v2/Services/{service}", as: "fetchService",
        deviceOrServer { context, _ in try fetchService(context) }),
      .post("/v2/Services/{service}", as: "updateService", authenticated(updateService)),
      .delete("/v2/Services/{service}", as: "deleteService", authenticated(deleteService)),

      .get(configurations, as: "listMessagingConfigurations", authenticated(MessagingConfiguration.list)),
      .post(configurations, as: "createMessagingConfiguration", authenticated(MessagingConfiguration.create)),
      .get(configuration, as: "fetchMessagingConfiguration", authenticated(MessagingConfiguration.fetch)),
      .post(configuration, as: "updateMessagingConfiguration", authenticated(MessagingConfiguration.update)),
      .delete(
        configuration, as: "deleteMessagingConfiguration", authenticated(MessagingConfiguration.delete)),
    ]
  }
}
