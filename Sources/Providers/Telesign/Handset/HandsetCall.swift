import Domain
import HTTP
import JSON
import ProviderKit

/// What every operation of an app starts from: a token that was given out for one verification.
/// Source: contract 5.4, which makes these operations up: the live ones are not public.
struct HandsetCall {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  /// The verification that the token is bound to.
  let verification: Verification
  let details: VerificationDetails

  /// The verification's reference id.
  var reference: String { referenceID(.verification, verification.ordinal, in: sandbox) }

  /// Whom it is about, as devices and questions have it.
  var holder: String { verification.claim.destination }

  /// Refuses a number that is not the verification's.
  func require(number text: String) throws {
    guard let number = Number(text, settings), number.number.description == holder else {
      throw Problem(3101, in: .omnichannel).because("phone_number: expected that of the verification")
    }
  }

  /// `status`, and where the verification is now.
  func answer(_ code: Int, _ status: Status = 200, _ write: (inout JSONWriter) -> Void = { _ in })
    -> Response
  {
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

/// A route of an app: `Authorization: Bearer` with the token of the verification that the path names, if it
/// names one.
func handsetRoute(
  _ method: HTTP.Method, _ pattern: Pattern, as name: String,
  _ operation: @escaping (HandsetCall) throws -> Response
) -> Route<Sandbox> {
  .on(method, pattern, as: name) { request, sandbox in
    do {
      return try operation(HandsetCall(request, in: sandbox))
    } catch let problem as Problem {
      throw problem.plain
    }
  }
}

extension HandsetCall {
  fileprivate init(_ request: Request, in sandbox: Sandbox) throws {
    let refusal = Problem(3400, in: .omnichannel)
    guard case .token(let token) = BearerToken(request.headers) else {
      throw refusal.because("expected Authorization: Bearer and a mobile_app_token")
    }
    guard let verification = try MobileAppToken.verification(of: token, in: sandbox),
      let details = try VerificationDetails(of: verification)
    else { throw refusal.because("nobody gave out this mobile_app_token, or it is older than 300 seconds") }
    self.init(
      request: request, sandbox: sandbox, settings: try Settings.current(in: sandbox),
      verification: verification, details: details)
    if let named = request.parameters.value("reference_id"), named != reference {
      throw refusal.because("the token is bound to \(reference)")
    }
  }

  /// The step under way, where it is tried over this channel; else what the vendor says of one that is over, or not
  /// this one. Source: contract 5.4.2.
  func step(over channel: Channel) throws -> Step {
    if let step = try sandbox.fallbacks.activeStep(of: verification), step.channel == channel { return step }
    let step = try sandbox.fallbacks.steps(of: verification).first { $0.channel == channel }
    let isLate = step?.failure == .timedOut
    throw Problem(isLate ? 3908 : 3931, in: .omnichannel)
      .because(
        step.map { "\(channel.rawValue) is \($0.state.rawValue)" } ?? "\(channel.rawValue) is no method of it"
      )
  }

  /// The same after something has changed: the vendor's word for where the verification is.
  func state() throws -> String {
    let now = try sandbox.verifications.find(verification.ordinal) ?? verification
    return try VerificationView(now, details, in: sandbox).state
  }
}
