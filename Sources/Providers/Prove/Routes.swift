package import Domain
package import HTTP
import ProviderKit

extension ProveProvider {
  /// The operations of the contract, in its order.
  package static var routes: [Route<Sandbox>] {
    tokenRoutes + unifyRoutes + keyRoutes + deviceRoutes + handsetPageRoutes + productRoutes
  }
}

/// SDKs ask for a token at the root of the origin, whatever the path of their base URL. So this route is not
/// bound to the vendor's hosts. Another provider's `/token` is bound to its own. Source: contract 1.3 and
/// 2.1.
private var tokenRoutes: [Route<Sandbox>] {
  [.post("/token", as: "createToken", numbered(createToken))]
}

private var unifyRoutes: [Route<Sandbox>] {
  [
    .post("/v3/unify", as: "createUnify", authenticated(createUnify)),
    .post("/v3/unify-status", as: "fetchUnifyStatus", authenticated(fetchUnifyStatus)),
    .post("/v3/unify-bind", as: "bindUnify", authenticated(bindUnify)),
  ]
}

private var keyRoutes: [Route<Sandbox>] {
  [.post("/v3/device/revoke", as: "revokeDevice", authenticated(revokeDevice))]
}

/// The sandbox's own API for devices, and the links that people open. Source: contract 6.2.
private var deviceRoutes: [Route<Sandbox>] {
  [
    .post(
      "/handset/prove/v1/authenticate", as: "authenticateDevice", authenticatingDevice(authenticateDevice)),
    .get("/handset/prove/v1/{authId}", as: "fetchDeviceStep", device(fetchDeviceStep)),
    .post("/handset/prove/v1/{authId}/mobile-auth", as: "attemptMobileAuth", device(attemptMobileAuth)),
    .post("/handset/prove/v1/{authId}/otp/start", as: "startOTP", device(startOTP)),
    .post("/handset/prove/v1/{authId}/otp/finish", as: "finishOTP", device(finishOTP)),
    .post("/handset/prove/v1/{authId}/instant-link/start", as: "startInstantLink", device(startInstantLink)),
    .post("/handset/prove/v1/{authId}/instant-link/retry", as: "retryInstantLink", device(retryInstantLink)),
    .post(
      "/handset/prove/v1/{authId}/finish-instant-link", as: "finishInstantLink", device(finishInstantLink)),
    .post("/handset/prove/v1/{authId}/cancel", as: "cancelDevice", device(cancelDevice)),
    .webSocket("/handset/prove/v1/{authId}/events", as: "watchDeviceSession", watchDeviceSession),
    .on(.options, "/handset/prove/v1/{authId}", as: "preflightDevice", answerPreflight),
    .on(.options, "/handset/prove/v1/{authId}/{action}", as: "preflightDeviceAction", answerPreflight),
    .on(.options, "/handset/prove/v1/{authId}/{flow}/{action}", as: "preflightDeviceFlow", answerPreflight),
    .get("/handset/prove/link/{token}", as: "openLink", openLink),
  ]
}
