import ProviderKit

let networkUnblockPath = "/verify/network-unblock"

extension VonageProvider {
  /// All operations but `network-unblock` are available by GET and by POST. Their paths are short, so they
  /// are limited to the provider's hosts. Source: contract 1 and 9.
  static var legacyRoutes: [Route<Sandbox>] {
    let routes: [Route<Sandbox>] = [
      .get("/verify/{format}", as: "startLegacyByGet", legacy(startLegacy)),
      .post("/verify/{format}", as: "startLegacy", legacy(startLegacy)),
      .get("/verify/psd2/{format}", as: "startPaymentByGet", legacy(startPayment)),
      .post("/verify/psd2/{format}", as: "startPayment", legacy(startPayment)),
      .get("/verify/check/{format}", as: "checkLegacyByGet", legacy(checkLegacy)),
      .post("/verify/check/{format}", as: "checkLegacy", legacy(checkLegacy)),
      .get("/verify/search/{format}", as: "searchLegacy", legacy(searchLegacy)),
      .post("/verify/search/{format}", as: "searchLegacyByPost", legacy(searchLegacy)),
      .get("/verify/control/{format}", as: "controlLegacyByGet", legacy(controlLegacy)),
      .post("/verify/control/{format}", as: "controlLegacy", legacy(controlLegacy)),
      .post(
        "/verify/network-unblock", as: "unblockNetwork",
        authenticated(by: [.basic, .fields], unblockNetwork)),
    ]
    return routes.map { $0.hostBound }
  }
}

/// An authenticated request of Verify legacy, Number Insight or SMS.
struct LegacyContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let fields: LegacyFields
  /// The account's key.
  let account: String

  func response(_ root: String, _ members: [LegacyAnswer.Member]) -> Response {
    LegacyAnswer(root, members).response(isXML: request.target.path.hasSuffix("/xml"))
  }
}

/// The handler of an operation: authenticates the caller, and formats errors.
func legacy(
  by caller: @escaping (Request, LegacyFields, Sandbox) throws -> String = account,
  _ operation: @escaping (LegacyContext) throws -> Response
) -> RequestHandler {
  { request, sandbox in
    do {
      let path = request.target.path
      guard path.hasSuffix("/json") || path.hasSuffix("/xml") && !path.hasPrefix("/ni/") else {
        throw LegacyError(.invalid, "Invalid response format").because(
          "expected json or xml at the end of the path")
      }
      let fields = try LegacyFields(request)
      let account = try caller(request, fields, sandbox)
      return try operation(
        LegacyContext(
          request: request, sandbox: sandbox, settings: Settings.current(in: sandbox), fields: fields,
          account: account))
    } catch let error as LegacyError {
      throw error.formatted(for: request)
    }
  }
}

/// Source: contract 9 for the errors of Verify legacy, 10 for those of Number Insight.
private func account(of request: Request, _ fields: LegacyFields, in sandbox: Sandbox) throws -> String {
  let path = request.target.path
  if BasicAuthentication(request.headers) == nil, !path.hasPrefix("/ni/") {
    for name in ["api_key", "api_secret"] { _ = try fields.required(name) }
  }
  do {
    return try Caller(of: request, by: [.basic, .fields], in: sandbox).account
  } catch let error as APIError {
    let isAboutRequest = ["check", "search", "control"].contains { path.hasPrefix("/verify/\($0)/") }
    throw LegacyError(.credentials, isAboutRequest ? "Bad credentials" : nil)
      .because(error.why ?? error.detail)
  }
}
