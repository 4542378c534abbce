package import ProviderKit

extension SinchProvider {
  /// Source: contract 1 and 8.
  package static var routes: [Route<Sandbox>] {
    [
      .deferred(.post, "/verification/v1/verifications", as: "startVerification", authenticated(start)),
      .put("/verification/v1/verifications/id/{id}", as: "reportById", authenticated(reportByID)),
      .put(
        "/verification/v1/verifications/number/{endpoint}", as: "reportByNumber",
        authenticated(reportByNumber)),
      .get("/verification/v1/verifications/id/{id}", as: "getById", authenticated(getByID)),
      .get(
        "/verification/v1/verifications/{method}/number/{endpoint}", as: "getByNumber",
        authenticated(allowingOpenStatus: true, getByNumber)),
      .get(
        "/verification/v1/verifications/reference/{reference}", as: "getByReference",
        authenticated(getByReference)),
    ] + TargetURL.routes + smsRoutes
  }
}
