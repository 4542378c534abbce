import ProviderKit

extension ProveProvider {
  static var identityRoutes: [Route<Sandbox>] {
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

  static var attributeRoutes: [Route<Sandbox>] {
    [
      .get("/v3/discover", as: "discoverAttributes", authenticated(discoverAttributes)),
      .get("/v3/fetch", as: "fetchAttribute", authenticated(fetchAttribute)),
    ]
  }

  static var domainRoutes: [Route<Sandbox>] {
    [
      .get("/v3/domain/id", as: "fetchDomain", authenticated(fetchDomain)),
      .get("/v3/domain/linked", as: "listDomainLinks", authenticated(listDomainLinks)),
      .post("/v3/domain/link", as: "linkDomain", authenticated(linkDomain)),
      .post("/v3/domain/confirm-link", as: "confirmDomainLink", authenticated(confirmDomainLink)),
      .post("/v3/domain/unlink", as: "unlinkDomain", authenticated(unlinkDomain)),
    ]
  }
}
