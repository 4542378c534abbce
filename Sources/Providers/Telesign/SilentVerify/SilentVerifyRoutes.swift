import ProviderKit

extension TelesignProvider {
  static var silentVerifyRoutes: [Route<Sandbox>] {
    [
      .post("/silent/initiate", as: "initiateSilent", authenticated(.silent, initiateSilent)),
      .post("/silent/finalize", as: "finalizeSilent", authenticated(.silent, finalizeSilent)),
    ] + SilentVerifyURL.routes
  }
}
