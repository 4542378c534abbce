import Domain
import HTTP
import ProviderKit

extension ProveProvider {
  /// The operations besides tokens, unify and devices. Source: contract 7 and 8.
  static var productRoutes: [Route<Sandbox>] {
    flowRoutes + verifyRoutes + attributeRoutes + identityRoutes + domainRoutes + authRoutes
  }

  /// Pre-Fill and Identity.
  private static var flowRoutes: [Route<Sandbox>] {
    [
      .post("/v3/start", as: "startFlow", authenticated(startFlow)),
      .post("/v3/validate", as: "validateFlow", authenticated(validateFlow)),
      .post("/v3/challenge", as: "challengeFlow", authenticated(challengeFlow)),
      .post("/v3/complete", as: "completeFlow", authenticated(completeFlow)),
    ]
  }

  private static var verifyRoutes: [Route<Sandbox>] {
    [
      .post("/v3/verify", as: "verifyIdentity", authenticated(verifyIdentity)),
      .post(
        "/v3/verify/batch", as: "verifyIdentities",
        authenticated(maxBytes: maxBatchBytes, verifyIdentities)),
    ]
  }

  private static var attributeRoutes: [Route<Sandbox>] {
    [
      .get("/v3/discover", as: "discoverAttributes", authenticated(discoverAttributes)),
      .get("/v3/fetch", as: "fetchAttribute", authenticated(fetchAttribute)),
    ]
  }

  private static var identityRoutes: [Route<Sandbox>] {
    [
      .post("/v3/identity", as: "enrollIdentity", authenticated(enrollIdentity)),
      .post(
        "/v3/identity/batch", as: "enrollIdentities",
        authenticated(maxBytes: maxBatchBytes, enrollIdentities)),
      .get("/v3/identity", as: "listIdentities", authenticated(listIdentities)),
      .get("/v3/identity/{proveId}", as: "fetchIdentity", authenticated(fetchIdentity)),
      .delete("/v3/identity/{proveId}", as: "disenrollIdentity", authenticated(disenrollIdentity)),
      .post("/v3/identity/{proveId}/activate", as: "activateIdentity", authenticated(activateIdentity)),
      .post("/v3/identity/{proveId}/deactivate", as: "deactivateIdentity", authenticated(deactivateIdentity)),
      .post(
        "/v3/identity/{proveId}/cross-domain", as: "listCrossDomainIdentities",
        authenticated(listCrossDomainIdentities)),
      .get("/v3/identity/{mobileNumber}/lookup", as: "lookUpIdentities", authenticated(lookUpIdentities)),
    ]
  }

  private static var domainRoutes: [Route<Sandbox>] {
    [
      .get("/v3/domain/id", as: "fetchDomain", authenticated(fetchDomain)),
      .get("/v3/domain/linked", as: "listDomainLinks", authenticated(listDomainLinks)),
      .post("/v3/domain/link", as: "linkDomain", authenticated(linkDomain)),
      .post("/v3/domain/confirm-link", as: "confirmDomainLink", authenticated(confirmDomainLink)),
      .post("/v3/domain/unlink", as: "unlinkDomain", authenticated(unlinkDomain)),
    ]
  }

  /// The older API.
  private static var authRoutes: [Route<Sandbox>] {
    [
      .post("/v1/server/auth/start", as: "startAuth", authenticated(startAuth)),
      .post("/v1/server/auth/continue", as: "continueAuth", authenticated(continueAuth)),
      .post("/v1/server/auth/finish", as: "finishAuth", authenticated(finishAuth)),
    ]
  }
}
