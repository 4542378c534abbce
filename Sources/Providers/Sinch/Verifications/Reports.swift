import ProviderKit

// The app, or its back end, reports a code or the number of a call. Source: contract 4.

func reportByID(_ context: RequestContext) throws -> Response {
  let report = try Report(context)
  let stored = try StoredVerification.find(
    context.request[parameter: "id"], of: context.application, in: context.sandbox)
  guard stored.details.method == report.method else {
    throw APIError.invalid("method", expected: stored.details.method.rawValue)
  }
  return try report.apply(to: stored, context)
}

func reportByNumber(_ context: RequestContext) throws -> Response {
  let report = try Report(context)
  return try report.apply(to: StoredVerification.newest(report.method, context), context)
}

/// The body of a report.
private struct Report {
  let method: VerificationMethod
  /// The code, or the caller number in E.164.
  private let proof: String
  private let source: Source

  private enum Source: String, CaseIterable {
    /// Read by the app itself.
    case intercepted
    case manual
  }

  init(_ context: RequestContext) throws {
    let fields = try context.request.json
    guard let word = try fields.optionalString("method") else { throw APIError.missing("method") }
    guard let method = VerificationMethod(requested: word), method != .seamless else {
      throw APIError.invalid("method", expected: "sms, flashcall, callout or whatsapp")
    }
    self.method = method
    guard let object = try method.members.lazy.compactMap({ try fields.optionalObject($0) }).first else {
      throw APIError.missing(method.members[0])
    }
    guard let text = try object.optionalString(method.proof) else {
      throw APIError.missing("\(method.members[0]).\(method.proof)")
    }
    proof = try method == .flashcall ? Self.callerNumber(text) : Self.code(text)
    // Older requests have the sender of the text too.
    if method == .sms { _ = try object.optionalString("cli") }
    let source = try object.optionalString("source") ?? Source.manual.rawValue
    guard let known = Source(rawValue: source) else {
      throw APIError.invalid("source", expected: "intercepted or manual")
    }
    self.source = known
  }

  private static func code(_ text: String) throws -> String {
    guard MethodOptions.isCode(text) else {
      throw APIError(.invalidValue, "code: expected 1 to 10 letters, digits or hyphens")
    }
    return text
  }

  /// Blanks are removed, and the plus may be missing.
  private static func callerNumber(_ text: String) throws -> String {
    let digits = text.filter { $0 != " " }
    guard let number = PhoneNumber(digits.hasPrefix("+") ? digits : "+\(digits)") else {
      throw APIError(.invalidValue, "cli: expected \(PhoneNumber.expected)")
    }
    return number.description
  }

  /// Checks the proof, unless the verification has ended or waits for its callback.
  func apply(to stored: StoredVerification, _ context: RequestContext) throws -> Response {
    let sandbox = context.sandbox
    guard stored.status == .pending, !stored.details.awaitsCallback else {
      sandbox.currentReason = stored.reasonAgainstReports
      return try reportAnswer(stored, nil, context)
    }
    var checked = stored
    if method != .callout {
      checked.details.source = source.rawValue
      try checked.save(in: sandbox)
    }
    let outcome = try sandbox.verifications.check(
      proof, of: checked.reloaded(in: sandbox).verification, by: context.settings.verificationRules)
    let wrong: Reason? =
      if case .wrongCode = outcome { method == .flashcall ? .invalidCLI : .invalidCode } else { nil }
    if method == .flashcall, case .wrongCode(let verification) = outcome {
      let report = "report \(verification.checks) of \(context.settings.maxAttempts)"
      sandbox.currentReason = "not the number that called: \(report)".advising(
        "Report the caller number of the newest call.")
    }
    return try reportAnswer(stored.reloaded(in: sandbox), wrong, context)
  }
}

/// `wrong`: the proof was wrong, and attempts are left; the verification is still pending.
private func reportAnswer(
  _ stored: StoredVerification, _ wrong: Reason?, _ context: RequestContext
) throws -> Response {
  let call = try stored.call(in: context.sandbox)
  return .json(200) { json in
    json.member("id", stored.id(in: context.sandbox))
    json.member("method", stored.details.method.rawValue)
    json.member("status", (wrong?.status ?? stored.status).rawValue)
    if let reason = wrong ?? stored.details.reason { json.member("reason", reason.rawValue) }
    if let call { json.member("callComplete", call.isComplete) }
  }
}
