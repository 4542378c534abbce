package import ProviderKit

extension VonageProvider {
  /// The operations of the contracts, in their order.
  package static var routes: [Route<Sandbox>] {
    verifyRoutes + SilentURL.routes + templateRoutes + legacyRoutes + insightRoutes + smsRoutes
      + messagesRoutes
  }
}
