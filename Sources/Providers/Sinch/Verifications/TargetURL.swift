import ProviderKit

/// `targetUri` of a seamless verification: the URL that the app opens over mobile data. It leads through the
/// operator's gateway. The provider's own URL is not public: this one is the sandbox's. Source: contract 8.
enum TargetURL: SilentHops {
  static let provider = SinchProvider.name
  static let path = "/verification/v1/seamless"
  static let operations = (first: "openTarget", last: "completeTarget")
  /// The second time, the first hop answers as the last one did.
  static let refusesEndedSessions = true

  static func unknownSession(_ token: String, on hop: SilentHop, in sandbox: Sandbox) throws -> Response {
    throw APIError(.notFound).because("there is no such seamless verification")
      .stamped(at: sandbox.clock.now, requestID: RequestContext.newID(in: sandbox))
  }

  static func response(to handset: SilentReturn, in sandbox: Sandbox) throws -> Response {
    let ordinal = handset.session.draft.verification
    guard let stored = try StoredVerification.find(ordinal, in: sandbox) else {
      return try unknownSession(handset.session.token, on: .last, in: sandbox)
    }
    switch handset.verdict {
    case .matched: _ = try sandbox.verifications.finish(stored.verification, as: .approved)
    case .expired, .used, .unknown: break
    case .mismatched, .notMobile, .noCoverage, .carrierError, .denied:
      try stored.end(because: Reason(failed: handset.verdict), in: sandbox)
    }
    return try answer(stored.reloaded(in: sandbox), in: sandbox)
  }

  /// Source: contract 9, `seamlessBody`.
  private static func answer(_ stored: StoredVerification, in sandbox: Sandbox) throws -> Response {
    switch try Settings.current(in: sandbox).seamlessBody {
    case .empty: return Response(200)
    case .json:
      return .json(200) { json in
        json.member("id", stored.id(in: sandbox))
        json.member("method", stored.details.method.rawValue)
        json.member("status", stored.status.rawValue)
      }
    }
  }
}
