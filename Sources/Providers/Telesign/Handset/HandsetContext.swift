import Crypto
import Domain
import HTTP
import JSON
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

  var reference: String { referenceID(.verification, verification.ordinal, in: sandbox) }

  /// The number in E.164 that holds devices and challenges.
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

  /// Throws if the number is not the verification's.
  func requireNumber(_ text: String) throws {
    guard let number = ParsedNumber(text, settings), number.phoneNumber.description == holder else {
      throw APIError(3101, in: .omnichannel).because("phone_number: expected the number of the verification")
    }
  }

  /// The current step, which must use this channel. Source: contract 5.4.2.
  func currentStep(over channel: Channel) throws -> Step {
    if let step = try sandbox.fallbacks.activeStep(of: verification), step.channel == channel { return step }
    let step = try sandbox.fallbacks.steps(of: verification).first { $0.channel == channel }
    let hasTimedOut = step?.failure == .timedOut
    throw APIError(hasTimedOut ? 3908 : 3931, in: .omnichannel).because(
      step.map { "the method \(channel.rawValue) is \($0.state.rawValue)" }
        ?? "the verification has no method \(channel.rawValue)")
  }

  /// The vendor's state of the verification after this request's changes.
  func currentState() throws -> String {
    let current = try sandbox.verifications.find(verification.ordinal) ?? verification
    return try VerificationView(current, details, in: sandbox).state
  }

  /// The members that `write` adds, followed by `status`.
  func respond(
    _ code: Int, _ status: Status = 200, _ write: (inout JSONWriter) -> Void = { _ in }
  ) -> Response {
    .json(
      status,
      JSONWriter.object { json in
        write(&json)
        json.object("status") { json in
          json.member("code", code)
          json.member("description", statusText(code))
        }
      })
  }
}

/// Makes an app's operation a route handler.
func handset(
  _ operation: @escaping (HandsetContext) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { request, sandbox in
    do {
      return try operation(HandsetContext(request, in: sandbox))
    } catch let error as APIError {
      throw error.minimal
    }
  }
}

/// The credential of an app for one verification, in the form of a JWT. It is derived from the verification,
/// so it is not stored. Source: contract 4.4 and 4.8.
struct MobileAppToken {
  let text: String

  init(of verification: Verification, in sandbox: Sandbox) {
    let head = JSONWriter.object { json in
      json.member("alg", "HS256")
      json.member("typ", "JWT")
    }
    let claims = JSONWriter.object { json in
      json.member("sub", referenceID(.verification, verification.ordinal, in: sandbox))
      json.member("exp", (verification.createdAt + Self.lifetime).milliseconds / 1000)
      // The customer selects the sandbox, as in other requests.
      if sandbox.name != Sandboxes.defaultName { json.member("iss", verification.claim.owner) }
    }
    // Identifiers, unlike secrets, stay the same when the random seed is changed.
    let signature = (0...1).map { part in
      sandbox.tokenEntropy.identifier("mobile app token", verification.ordinal, part)
    }.joined().prefix(43)
    text = "\(Base64.encodeForURL(head)).\(Base64.encodeForURL(claims)).\(signature)"
  }

  /// The verification of a token; nil for an unknown or expired token.
  static func verification(of text: String, in sandbox: Sandbox) throws -> Verification? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let reference = claim("sub", of: parts[1]),
      let found = try findVerification(reference, in: sandbox)?.verification,
      constantTimeEqual(Self(of: found, in: sandbox).text, text),
      sandbox.clock.now < found.createdAt + lifetime
    else { return nil }
    return found
  }

  /// The customer of a token, not verified; nil in the default sandbox and for other texts.
  static func customer(of text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 3 ? claim("iss", of: parts[1]) : nil
  }

  private static func claim(_ name: String, of claims: Substring) -> String? {
    let padded = String(claims) + String(repeating: "=", count: (4 - claims.utf8.count % 4) % 4)
    let standard = padded.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    guard let bytes = Base64.decode(String(standard)), let fields = try? Fields(bytes) else { return nil }
    return try? fields.optionalString(name)
  }

  /// Source: contract 15.
  private static let lifetime = Duration.seconds(300)
}
