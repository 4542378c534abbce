package import ProviderKit

extension HyphenProvider {
  /// The operations of the contract, in its order. Source: contract 5.
  package static var routes: [Route<Sandbox>] { authRoutes + deviceRoutes + accountRoutes }
}

private var authRoutes: [Route<Sandbox>] {
  [
    .post("/auth/v1/signup", as: "signUp", forApp(signUp)),
    .post("/auth/v1/signin/challenge", as: "createChallenge", forApp(createChallenge)),
    .post("/auth/v1/signin/challenge/respond", as: "respondToChallenge", forApp(respondToChallenge)),
    .post("/auth/v1/signin/2fa", as: "createTwoFactorAuth", forApp(createTwoFactorAuth)),
    .post("/auth/v1/signin/2fa/finish", as: "finishTwoFactorAuth", forSource(finishTwoFactorAuth)),
    .post("/auth/v1/refresh", as: "refreshCredentials", forApp(refreshCredentials)),
  ]
}

private var deviceRoutes: [Route<Sandbox>] {
  [
    .get("/device/v1/devices", as: "listDevices", forDevice(listDevices)),
    .put("/device/v1/devices/{publicKey}", as: "updateDevice", forDevice(updateDevice)),
    .get("/device/v1/2fa/{id}", as: "fetchTwoFactorAuth", forSource(fetchTwoFactorAuth)),
    .put("/device/v1/2fa/{id}", as: "retryTwoFactorAuth", forSource(retryTwoFactorAuth)),
    .post("/device/v1/2fa/{id}/approve", as: "approveTwoFactorAuth", forSource(approveTwoFactorAuth)),
    .delete("/device/v1/2fa/{id}", as: "denyTwoFactorAuth", forSource(denyTwoFactorAuth)),
  ]
}

private var accountRoutes: [Route<Sandbox>] {
  [
    .get("/account/v1/me", as: "fetchAccount", forDevice(fetchAccount)),
    .get("/key/v1/keys", as: "listKeys", forDevice(listKeys)),
    .post("/key/v1/recovery", as: "addRecoveryKey", forDevice(addRecoveryKey)),
    .delete("/key/v1/keys/{publicKey}", as: "revokeKey", forDevice(revokeKey)),
    .get("/sign/v1/cadence", as: "fetchPayer", forDevice(fetchPayer)),
    .post("/sign/v1/cadence/transaction", as: "signTransaction", forDevice(signTransaction)),
    .post("/sign/v1/cadence/paymaster", as: "signAsPayer", forDevice(signAsPayer)),
  ]
}
