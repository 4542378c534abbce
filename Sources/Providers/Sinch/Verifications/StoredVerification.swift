import ProviderKit

/// What the provider stores with a verification, as the JSON object `Verification.details`.
struct VerificationDetails: VerificationRecord {
  var method = VerificationMethod.sms
  var reference: String?
  var custom: String?
  var options = MethodOptions()
  /// `Accept-Language` of the request.
  var acceptLanguage: [String]?
  /// Where the gateway sends a handset back to, with `{token}`; nil for methods without mobile data.
  var returnURL: String?
  /// True until the receiver of the request callback has decided. Nothing was sent yet.
  var awaitsCallback = false
  /// The ordinal of the message or call.
  var message: Int?
  /// How the app got the code: `intercepted` or `manual`.
  var source: String?
  var reason: Reason?

  static let schema = Schema<VerificationDetails>([
    .required("method", \.method, .word), .optional("reference", \.reference, .string),
    .optional("custom", \.custom, .string), .nested("options", \.options, MethodOptions.schema),
    .optional("acceptLanguage", \.acceptLanguage, .array(of: .string)),
    .optional("returnUrl", \.returnURL, .string), .field("awaitsCallback", \.awaitsCallback, .boolean),
    .optional("message", \.message, .ordinal), .optional("source", \.source, .string),
    .optional("reason", \.reason, .word),
  ])

  init() {}

  init?(stored text: String) throws {
    try Self.schema.merge(Fields(Array(text.utf8)), into: &self)
  }

  var encoded: String { String(decoding: Self.schema.encode(self), as: UTF8.self) }
}

/// A verification with what this provider stores with it.
struct StoredVerification {
  let verification: Verification
  var details: VerificationDetails

  init(_ verification: Verification) throws {
    self.verification = verification
    details = try verification.details.record()
  }

  /// Nil for an ordinal of another provider's.
  static func find(_ ordinal: Int, in sandbox: Sandbox) throws -> StoredVerification? {
    guard let found = try sandbox.verifications.find(ordinal), found.claim.provider == SinchProvider.name
    else { return nil }
    return try StoredVerification(found)
  }

  /// The one whose code or call a message is.
  static func find(of message: Message, in sandbox: Sandbox) throws -> StoredVerification? {
    try VerificationID.ordinal(of: message.reference, in: sandbox).flatMap { try find($0, in: sandbox) }
  }

  /// An application's verification with an id.
  static func find(_ id: String, of application: Application, in sandbox: Sandbox) throws
    -> StoredVerification
  {
    guard let ordinal = VerificationID.ordinal(of: id, in: sandbox),
      let found = try find(ordinal, in: sandbox),
      found.verification.claim.owner == application.key
    else {
      throw APIError(.notFound).because(
        "the application has no verification \(id)", change: "Send the id that the answer to the start has.")
    }
    return found
  }

  /// The newest verification of a method and the path's number. Source: contract 4 and 5.
  static func newest(_ method: VerificationMethod, _ context: RequestContext) throws -> StoredVerification {
    let number = try Endpoint.number(context.request[parameter: "endpoint"], context)
    let found = try newest(to: number, method, of: context.application, in: context.sandbox)
    guard let found else {
      throw APIError(.notFound).because(
        "the application has no \(method.rawValue) of \(number)",
        change: "Start a verification with this method and number first, and report the same ones.")
    }
    return found
  }

  /// The newest verification of a number; nil stands for any method.
  static func newest(
    to number: PhoneNumber, _ method: VerificationMethod?, of application: Application, in sandbox: Sandbox
  ) throws -> StoredVerification? {
    var border = Int.max
    while true {
      let page = try sandbox.verifications.list(
        SinchProvider.name, of: number.description, before: border, limit: 50)
      for verification in page where verification.claim.owner == application.key {
        let stored = try StoredVerification(verification)
        if method == nil || stored.details.method == method { return stored }
      }
      guard page.count == 50, let last = page.last else { return nil }
      border = last.ordinal
    }
  }

  var status: VerificationStatus {
    if let reason = details.reason { return reason.status }
    return switch verification.state {
    case .pending: .pending
    case .approved: .successful
    case .canceled: .aborted
    case .denied: .denied
    case .expired, .exhausted: .fail
    }
  }

  /// Why no code is compared: it has ended, or waits for its callback. For the journal.
  var reasonAgainstReports: String {
    if status == .pending {
      return "the receiver of the callback has not decided yet".advising(
        "Let it answer the callback of the start first.")
    }
    guard let reason = details.reason, reason != .expired, verification.state != .exhausted else {
      return MissingReason.ended(verification).reason
    }
    return reason.cause
  }

  func id(in sandbox: Sandbox) -> String { VerificationID.text(of: verification.ordinal, in: sandbox) }

  func writeIdentity(to json: inout JSONWriter) {
    json.object("identity") { json in
      json.member("type", "number")
      json.member("endpoint", verification.claim.destination)
    }
  }

  /// The same verification after a change of its rows.
  func reloaded(in sandbox: Sandbox) throws -> StoredVerification {
    try Self.find(verification.ordinal, in: sandbox) ?? self
  }

  func save(in sandbox: Sandbox) throws {
    try sandbox.verifications.save(ProviderDetails(details), with: verification)
  }

  /// Ends a pending verification; does nothing if it has ended.
  func end(because reason: Reason, in sandbox: Sandbox) throws {
    guard verification.state == .pending else { return }
    var ended = self
    ended.details.reason = reason
    ended.details.awaitsCallback = false
    try ended.save(in: sandbox)
    _ = try sandbox.verifications.finish(verification, as: reason.state)
  }

  /// Nil before the message or call, and when it is no longer kept.
  func message(in sandbox: Sandbox) throws -> Message? {
    try details.message.flatMap { try sandbox.messages.find($0) }
  }

  /// What has become of the call; nil for a message, or before the call.
  func call(in sandbox: Sandbox) throws -> CallOutcome? {
    guard details.method.channel == .call, let message = try message(in: sandbox) else { return nil }
    return CallOutcome(of: message, try sandbox.calls.find(message.ordinal), at: sandbox.clock.now)
  }
}
