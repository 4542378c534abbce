import ProviderKit

/// The request of a finalization: `{"action":"finalize","security_factor":"123456"}`.
/// Source: contract 3.3, quirks 4 and 8; 4.6.
struct FinalizationForm {
  let securityFactor: String

  /// Reads the body, or JSON in the query, or else the fields of the query. The content type does not matter.
  init(_ context: RequestContext) throws {
    let query = context.request.target.query
    if !context.request.body.isEmpty {
      try self.init(RequestBody.json(context.request))
    } else if query.hasPrefix("%7B") || query.hasPrefix("%7b") || query.hasPrefix("{") {
      guard context.settings.acceptsJSONInQuery else {
        throw Self.invalid("the query contains JSON, and the setting compat.python_patch_query is off")
      }
      guard let text = PercentCoding.decode(Array(query.utf8), plusIsSpace: false) else {
        throw Self.invalid("the query contains a malformed percent escape")
      }
      try self.init(Fields(Array(text.utf8)))
    } else {
      let query = try context.request.query
      try self.init(action: query["action"], securityFactor: query["security_factor"])
    }
  }

  private init(_ fields: Fields) throws {
    try self.init(
      action: fields.optionalString("action"), securityFactor: fields.optionalString("security_factor"))
  }

  private init(action: String?, securityFactor: String?) throws {
    guard action == "finalize" else { throw Self.invalid("action: expected finalize") }
    guard let securityFactor, !securityFactor.isEmpty,
      securityFactor.utf8.allSatisfy({ $0.isDigit })
    else { throw Self.invalid("security_factor: expected a string of digits") }
    self.securityFactor = securityFactor
  }

  private static func invalid(_ why: String) -> APIError {
    APIError(3110, in: .omnichannel).because(why)
  }
}

/// The provider's result for a submitted code. Source: contract 4.6.
struct CodeCheckResult {
  /// `status.code`.
  let code: Int
  /// Set if the code could not be checked.
  private let error: APIError?

  /// Checks a code, which counts as an attempt.
  init(of code: String, for verification: Verification, in sandbox: Sandbox) throws {
    let settings = try Settings.current(in: sandbox)
    switch try sandbox.verifications.check(code, of: verification, by: settings.verificationRules) {
    case .approved: self.init(3900)
    case .wrongCode: self.init(settings.wrongCode == .live ? 3909 : 3904)
    case .checksExhausted: self.init(settings.lastWrongCode)
    case .nothingPending(.ended(let ended)) where ended.state == .exhausted: self.init(settings.lastWrongCode)
    case .nothingPending(.ended(let ended)) where try ended.hasLastMethodFailed(in: sandbox):
      self.init(3933, settings.expiredStatus)
    case .nothingPending(let why): self.init(why, settings)
    }
  }

  /// The HTTP status. Throws the error of a code that could not be checked, unless a setting makes its status
  /// 200.
  func status() throws -> Status {
    guard let error, error.status != 200 else { return 200 }
    throw error
  }

  /// Writes the members of `status`.
  func write(to json: inout JSONWriter) {
    json.member("code", code)
    json.member("description", StatusTexts[code])
  }

  private init(_ code: Int) {
    self.code = code
    error = nil
  }

  private init(_ why: MissingReason, _ settings: Settings) {
    switch why {
    case .neverStarted, .notSent: self.init(3931, 400)
    case .codeExpired: self.init(3935, settings.expiredStatus)
    case .ended(let verification):
      let isExpired = verification.state == .pending || verification.state == .expired
      self.init(isExpired ? 3908 : 3931, isExpired ? settings.expiredStatus : 400)
    }
  }

  private init(_ code: Int, _ status: Int) {
    self.code = code
    error = APIError(code, Status(status) ?? 400, StatusTexts[code], in: .omnichannel)
  }
}

extension Verification {
  /// True if it expired because its last method failed, not because of a timeout. The contract has a code for
  /// it, but does not say when it is used. Source: contract 4.6.
  fileprivate func hasLastMethodFailed(in sandbox: Sandbox) throws -> Bool {
    guard state == .expired else { return false }
    let failure = try sandbox.fallbacks.steps(of: self).last?.failure
    return failure != nil && failure != .timedOut
  }
}

extension Settings {
  /// The code for the last wrong submission and all after it. Source: contract 4.6.
  fileprivate var lastWrongCode: Int { wrongCode == .live ? 3904 : 3909 }
}
