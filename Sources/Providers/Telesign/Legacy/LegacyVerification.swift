import ProviderKit

/// `code_state`: the result of the last submitted code. Source: contract 7.4.
enum CodeState: String {
  /// No code was submitted.
  case unknown = "UNKNOWN"
  case valid = "VALID"
  case invalid = "INVALID"
  case expired = "EXPIRED"
  case attemptsExceeded = "MAX_ATTEMPTS_EXCEEDED"
}

/// What the provider stores with an SMS, Voice, Smart or App verification. Source: contract 7 and 8.
struct LegacyDetails: VerificationRecord {
  /// `sms`, `call`, or Smart Verify's `voice`.
  let subResource: String
  /// `status.code` if nothing was sent, or if the app has finalized the verification.
  var statusCode: Int?
  var codeState = CodeState.unknown
  var enteredCode: String?
  var callerID: String?
  var forwarding: ForwardingCheck?
  var simSwap: SIMSwapCheck?
  /// When the app reported completion.
  var completedAt: Timestamp?

  init(of subResource: String) {
    self.subResource = subResource
  }

  init?(stored text: String) throws {
    let fields = try Fields(Array(text.utf8))
    subResource = try fields.string("subResource")
    statusCode = try fields.optionalInt("outcome")
    codeState = try fields.optionalString("verdict").flatMap(CodeState.init) ?? .unknown
    enteredCode = try fields.optionalString("entered")
    callerID = try fields.optionalString("callerId")
    forwarding = try fields.optionalObject("forwarding").map(ForwardingCheck.init)
    simSwap = try fields.optionalObject("simSwap").map(SIMSwapCheck.init)
    completedAt = try fields.optionalInt("completedAt").map { Timestamp(milliseconds: Int64($0)) }
  }

  var encoded: String {
    return JSONWriter.text { json in
      json.member("subResource", subResource)
      if let statusCode { json.member("outcome", statusCode) }
      if codeState != .unknown { json.member("verdict", codeState.rawValue) }
      if let enteredCode { json.member("entered", enteredCode) }
      if let callerID { json.member("callerId", callerID) }
      if let forwarding { json.object("forwarding") { forwarding.encode(to: &$0) } }
      if let simSwap { json.object("simSwap") { simSwap.encode(to: &$0) } }
      if let completedAt { json.member("completedAt", completedAt.milliseconds) }
    }
  }
}

/// An SMS, Voice, Smart or App verification.
struct LegacyVerification {
  let verification: Verification
  var details: LegacyDetails
  let kind: ReferenceKind
  let reference: String

  init(_ verification: Verification, _ kind: ReferenceKind, in sandbox: Sandbox) throws {
    self.verification = verification
    self.kind = kind
    details = try verification.details.record()
    reference = ReferenceID.text(kind, verification.ordinal, in: sandbox)
  }

  /// The message with the code; nil if none was sent.
  func message(in sandbox: Sandbox) throws -> Message? {
    try sandbox.messages.find(about: reference, to: verification.claim.destination)
  }

  func saveDetails(in sandbox: Sandbox) throws {
    try sandbox.verifications.save(ProviderDetails(details), with: verification)
  }

  /// Finds the customer's verification, which must be of one of these kinds, or throws `unknown`.
  /// Source: contract 7.4.
  static func find(
    _ text: String, _ kinds: Set<ReferenceKind>, else unknown: APIError = .unknownReference,
    for context: RequestContext
  ) throws -> LegacyVerification {
    let sandbox = context.sandbox
    guard ReferenceID.isValid(text) else { throw APIError.invalidReference(text) }
    guard let (kind, ordinal) = ReferenceID.resolve(text, in: sandbox), kinds.contains(kind) else {
      throw unknown.about(text, unknown.subResource).because(
        "no verification has the reference_id \(text)",
        change: "Send the reference_id that the answer to the start has.")
    }
    // The sandbox's history is limited: the record may be gone before it expires.
    guard let verification = try sandbox.verifications.find(ordinal) else {
      throw APIError.expiredReference.about(text).because("it is no longer in the sandbox's history")
    }
    guard verification.claim.provider == TelesignProvider.name,
      verification.claim.owner == context.customer
    else {
      throw unknown.about(text, unknown.subResource).because(
        "it belongs to another customer", change: "Send the credentials of its start.")
    }
    let end = verification.createdAt + .seconds(context.settings.retentionHours * 3600)
    guard sandbox.clock.now < end else {
      throw APIError.expiredReference.about(text)
        .because("it could be queried until \(end.iso8601) (setting reference.retention_h)")
    }
    return try LegacyVerification(verification, kind, in: sandbox)
  }

  /// The response to a sending or a status query. That to a sending has an empty `code_entered`.
  /// Source: contract 7.1, 7.2 and 7.4.
  func response(isNew: Bool, to context: RequestContext) throws -> Response {
    let status = try deliveryStatus(in: context.sandbox)
    let features = try isNew ? VerifyFeatureResults(of: self, context) : nil
    return .json(200) { json in
      json.member("reference_id", reference)
      json.member("sub_resource", details.subResource)
      json.member("errors", [String]())
      context.writeStatus(status.code, at: status.at, to: &json)
      json.object("verify") { json in
        json.member("code_state", details.codeState.rawValue)
        json.member("code_entered", isNew ? "" : details.enteredCode ?? "")
      }
      if let callerID = details.callerID {
        json.object("voice") { $0.member("caller_id", callerID) }
      }
      if let forwarding = details.forwarding {
        json.object("call_forwarding") { forwarding.write(to: &$0) }
      }
      if let simSwap = details.simSwap { json.object("sim_swap") { simSwap.write(to: &$0) } }
      features?.write(to: &json)
    }
  }

  /// Submitted codes do not change it. Source: contract 7.4.
  private func deliveryStatus(in sandbox: Sandbox) throws -> (code: Int, at: Timestamp) {
    if let code = details.statusCode { return (code, verification.updatedAt) }
    guard let message = try message(in: sandbox) else { return (599, sandbox.clock.now) }
    let entry = try DeliveryTimeline(of: message, in: sandbox).entry(at: sandbox.clock.now)
    return (entry.code, entry.at)
  }
}
