import ProviderKit

extension ProveProvider {
  /// The sandbox's own API for devices, and the links that people open. Source: contract 6.2.
  static var deviceRoutes: [Route<Sandbox>] {
    [
      .post(
        "/handset/prove/v1/authenticate", as: "authenticateDevice", authenticatingDevice(authenticateDevice)),
      .get("/handset/prove/v1/{authId}", as: "fetchDeviceStep", device(fetchDeviceStep)),
      .post("/handset/prove/v1/{authId}/mobile-auth", as: "attemptMobileAuth", device(attemptMobileAuth)),
      .post("/handset/prove/v1/{authId}/otp/start", as: "startOTP", device(startOTP)),
      .post("/handset/prove/v1/{authId}/otp/finish", as: "finishOTP", device(finishOTP)),
      .post(
        "/handset/prove/v1/{authId}/instant-link/start", as: "startInstantLink", device(startInstantLink)),
      .post(
        "/handset/prove/v1/{authId}/instant-link/retry", as: "retryInstantLink", device(retryInstantLink)),
      .post(
        "/handset/prove/v1/{authId}/finish-instant-link", as: "finishInstantLink", device(finishInstantLink)),
      .post("/handset/prove/v1/{authId}/cancel", as: "cancelDevice", device(cancelDevice)),
      .webSocket("/handset/prove/v1/{authId}/events", as: "watchDeviceSession", numbered(watchDeviceSession)),
      .on(.options, "/handset/prove/v1/{authId}", as: "preflightDevice", answerPreflight),
      .on(.options, "/handset/prove/v1/{authId}/{action}", as: "preflightDeviceAction", answerPreflight),
      .on(.options, "/handset/prove/v1/{authId}/{flow}/{action}", as: "preflightDeviceFlow", answerPreflight),
      .get("/handset/prove/link/{token}", as: "openLink", openLink),
    ]
  }
}
