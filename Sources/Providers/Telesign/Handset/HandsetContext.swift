import ProviderKit

/// A request of an app that is authenticated with the token of one verification. The live API is not public.
/// Source: contract 5.4, which defines the sandbox's own.
struct HandsetContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  /// The verification that the token belongs to.
  let verification: Verification
  let details: VerificationDetails

  var reference: String { ReferenceID.text(.verification, verification.ordinal, in: sandbox) }

  /// The holder of the app's devices and challenges: the verification's number, in E.164.
  var holder: String { verification.claim.destination }

  /// Authenticates the request: `Authorization: Bearer` with the token of the verification that the path
  /// names.
  fileprivate init(_ request: Request, in sandbox: Sandbox) throws {
    let unauthorized = APIError(3400, in: .omnichannel)
    guard case .token(let token) = BearerToken(request.headers) else {
      throw unauthorized.because("expected Authorization: Bearer with a mobile_app_token")
    }
    guard let verification = try MobileAppToken.verification(of: token, in: sandbox),
      let details = try VerificationDetails(of: verification)
    else { throw unauthorized.because("unknown mobile_app_token, or it is older than 300 seconds") }
    self.request = request
    self.sandbox = sandbox
    self.settings = try Settings.current(in: sandbox)
    self.verification = verification
    self.details = details
    if let named = request.parameters.value("reference_id"), named != reference {
      throw unauthorized.because("the token belongs to \(reference)")
    }
  }

  /// The provider's state of the verification after this request's changes.
  func currentState() throws -> String {
    let current = try sandbox.verifications.find(verification.ordinal) ?? verification
    return try VerificationView(current, details, in: sandbox).state
  }

  /// The members that `write` adds, followed by `status`.
  func respond(
    _ code: Int, _ status: Status = 200, _ write: (inout JSONWriter) -> Void = { _ in }
  ) -> Response {
    .json(status) { json in
      write(&json)
      json.object("status") { json in
        json.member("code", code)
        json.member("description", StatusTexts[code])
      }
    }
  }
}

/// Makes an app's operation a route handler.
func handset(_ operation: @escaping (HandsetContext) throws -> Response) -> RequestHandler {
  { request, sandbox in
    do {
      return try operation(HandsetContext(request, in: sandbox))
    } catch let error as APIError {
      throw error.minimal
    }
  }
}
