package import Domain
package import HTTP
package import JSON
package import ProviderKit

/// Prelude v2: verification with its neighbours Lookup, Watch, Notify and KYC match, signals and silent
/// verification. Contract: `prelude.md`; the vendor's pages: https://docs.prelude.so
package enum PreludeProvider: Provider {
  /// URL prefix, seed member and tag.
  package static let name = "prelude"
  /// What a bare start loads.
  package static let defaultSeed = PackageResources.Seed_json
  /// No tool has another name for it.
  package static let prefixes: [String] = []
  /// The server API and the edge that front ends talk to. Source: contract 1.1.
  package static let hosts = ["api.prelude.dev", "edge.prelude.dev"]
  /// What the vendor's SDKs read. Source: contract 1.3.
  package static let variables = [
    Variable("API_TOKEN", .credential("apiToken")), Variable("PRELUDE_BASE_URL", .baseURL),
  ]

  /// The operations of the contract, in its order.
  package static var routes: [Route<Sandbox>] {
    verificationRoutes + managementRoutes + productRoutes + notifyRoutes + frontEndRoutes
  }

  /// Says on every answer that it is none of the vendor's own. Source: contract 15.
  package static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox) {
    headers.add("X-Sandbox", name)
  }

  /// It pushes nothing. Source: `push-gateway.md` 3.4
  package static func ownsPushPayload(_ data: Texts) -> Bool { false }

  /// One minute, doubled each time up to twelve hours, for two weeks. Source: contract 12.1.
  package static var retries: RetrySchedule {
    .doubling(from: .seconds(60), upTo: .seconds(12 * 3600), for: .seconds(14 * 86_400))
  }

  /// The vendor's words for what no handler answers.
  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    let problem: Problem
    switch failure {
    case .unknownPath: problem = Problem(.notFound, "no route has the path \(request.target.path)")
    case .notEmulated: problem = Problem(.notFound, "this operation is not emulated")
    case .wrongMethod(let allowed): problem = .wrongMethod(allowed: allowed)
    case .malformed(let field, let expected):
      problem = .invalid(field.map(parameter) ?? "body", expected: expected)
    case .fault(let status, let code): problem = .fault(status: status, code: code)
    case .failure: problem = Problem(.internal)
    case .overload: problem = .overload
    }
    return problem.signed(requestIdentifier(in: sandbox)).response
  }

  /// A member's path as `param` names it: without the document's root.
  private static func parameter(_ path: String) -> String {
    path.hasPrefix("$.") ? String(path.dropFirst(2)) : path == "$" ? "body" : path
  }
}

// The route table by sections of the contract.

/// Verify. Source: contract 3 to 5.
private var verificationRoutes: [Route<Sandbox>] {
  [
    post("/v2/verification", as: "createVerification", createVerification),
    post("/v2/verification/check", as: "checkVerification", checkVerification),
    .get("/v2/verification/phone/history", as: "listHistory", calling(listHistory)),
    .get("/v2/verification/phone/history/{id}", as: "fetchHistory", calling(fetchHistory)),
  ]
}

/// What belongs to front ends: signals, and the hops of silent verification. Source: contract 13 and 14.
private var frontEndRoutes: [Route<Sandbox>] {
  [
    .post("/v1/signals", as: "dispatchSignals", dispatchSignals),
    .on(.options, "/v1/signals", as: "announceSignals", announceSignals),
    .deferred(.get, "/silent/v1/{token}", as: "startSilent", startSilent),
    .deferred(.get, "/silent/v1/{token}/complete", as: "completeSilent", completeSilent),
  ]
}
