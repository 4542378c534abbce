import HTTP
import JSON
import ProviderKit

/// A refusal of the token endpoint, in the form of OAuth 2 (RFC 6749, 5.2) with the vendor's texts.
struct OAuthProblem: ResponseError, Equatable {
  /// The word that clients read.
  let error: String
  /// For people.
  let description: String
  /// The HTTP status.
  var status: Status = 400
  /// For the journal: what really happened.
  var why: String?

  /// A refusal from its parts.
  init(_ error: String, _ description: String, status: Status = 400, why: String? = nil) {
    self.error = error
    self.description = description
    self.status = status
    self.why = why
  }

  /// What no handler answers.
  init(_ reason: RequestFailure) {
    switch reason {
    case .unknownPath, .wrongMethod, .notEmulated:
      self.init("invalid_request", "Only POST is supported.", status: 405)
    case .malformed(let field, let expected):
      let place = field.map { "\($0): " } ?? ""
      self.init("invalid_request", "\(place)expected \(expected)")
    case .fault(let status, let code):
      self.init(code ?? "internal_failure", "The request was refused on purpose.", status: status ?? 400)
    case .failure: self.init("internal_failure", "Internal error", status: 500)
    case .overload: self.init("internal_failure", "The service is unavailable", status: 503)
    }
  }

  /// The two members that there are.
  var response: Response {
    .json(
      status,
      JSONWriter.object {
        $0.member("error", error)
        $0.member("error_description", description)
      })
  }

  /// A parameter that must be there.
  static func missing(_ parameter: String) -> OAuthProblem {
    OAuthProblem("invalid_request", "Required parameter is missing: \(parameter)")
  }

  /// An assertion that is none.
  static func malformedAssertion(_ why: String) -> OAuthProblem {
    OAuthProblem("invalid_grant", "Invalid JWT: Failed to parse the assertion.", why: why)
  }

  /// An assertion that another key has signed.
  static let wrongSignature = OAuthProblem(
    "invalid_grant", "Invalid JWT Signature.",
    why: "the signature is not one of the key that belongs to the service account")

  /// An assertion of somebody who is not known.
  static func unknownAccount(_ name: String) -> OAuthProblem {
    OAuthProblem(
      "invalid_grant", "Invalid grant: account not found", why: "no service account \(name) in this sandbox"
    )
  }

  /// An assertion that is not worth anything now.
  static func wrongTime(_ why: String) -> OAuthProblem {
    OAuthProblem(
      "invalid_grant",
      "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
        + "Check your iat and exp values in the JWT claim.", why: why)
  }
}
