import ProviderKit

extension ProveProvider {
  static var unifyRoutes: [Route<Sandbox>] {
    [
      .post("/v3/unify", as: "createUnify", authenticated(createUnify)),
      .post("/v3/unify-status", as: "fetchUnifyStatus", authenticated(fetchUnifyStatus)),
      .post("/v3/unify-bind", as: "bindUnify", authenticated(bindUnify)),
    ]
  }
}
