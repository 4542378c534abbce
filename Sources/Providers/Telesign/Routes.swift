package import ProviderKit

extension TelesignProvider {
  package static var routes: [Route<Sandbox>] {
    verifyRoutes + handsetRoutes + legacyPushRoutes + silentVerifyRoutes + legacyVerifyRoutes
      + appVerifyRoutes + messagingRoutes + phoneIDRoutes + intelligenceRoutes + teleBureauRoutes
  }
}
