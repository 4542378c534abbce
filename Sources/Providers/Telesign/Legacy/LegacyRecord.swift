import Domain
import HTTP
import JSON
import ProviderKit

/// What came of the codes that were held against a verification. Source: contract 7.4.
enum CodeState: String {
  /// None was given yet.
  case unknown = "UNKNOWN"
  /// The last one was right.
  case valid = "VALID"
  /// The last one was wrong.
  case invalid = "INVALID"
  /// The last one came too late.
  case expired = "EXPIRED"
  /// There were too many wrong ones.
  case attemptsExceeded = "MAX_ATTEMPTS_EXCEEDED"
}

/// What the vendor keeps with an SMS, Voice, Smart or App verification beyond what the core knows.
/// Source: contract 7 and 8.
struct LegacyRecord {
  /// `sms`, `call`, or Smart Verify's `voice`.
  let subResource: String
  /// `status.code` where nothing was sent, or where the app has said how it ended.
  var outcome: Int?
  /// What came of the last code.
  var verdict = CodeState.unknown
  /// The last code.
  var entered: String?
  /// The number that a call comes from.
  var callerID: String?
  /// What was found out about the forwarding of calls.
  var forwarding: ForwardingCheck?
  /// What was found out about the SIM card.
  var simSwap: SIMSwapCheck?
  /// When the app reported that it was done.
  var completedAt: Timestamp?

  /// The record of a verification that begins.
  init(of subResource: String) {
    self.subResource = subResource
  }

  /// Reads what `encoded` wrote.
  init(_ text: String) throws {
    let fields = try Fields(Array(text.utf8))
    subResource = try fields.string("subResource")
    outcome = try fields.optionalInt("outcome")
    verdict = try fields.optionalString("verdict").flatMap(CodeState.init) ?? .unknown
    entered = try fields.optionalString("entered")
    callerID = try fields.optionalString("callerId")
    forwarding = try fields.optionalObject("forwarding").map(ForwardingCheck.init)
    simSwap = try fields.optionalObject("simSwap").map(SIMSwapCheck.init)
    completedAt = try fields.optionalInt("completedAt").map { Timestamp(milliseconds: Int64($0)) }
  }

  /// As the core keeps it.
  var encoded: String {
    let bytes = JSONWriter.object { json in
      json.member("subResource", subResource)
      if let outcome { json.member("outcome", outcome) }
      if verdict != .unknown { json.member("verdict", verdict.rawValue) }
      if let entered { json.member("entered", entered) }
      if let callerID { json.member("callerId", callerID) }
      if let forwarding { json.object("forwarding") { forwarding.keep(in: &$0) } }
      if let simSwap { json.object("simSwap") { simSwap.keep(in: &$0) } }
      if let completedAt { json.member("completedAt", completedAt.milliseconds) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A verification of one of these products, found by its reference id.
struct LegacyVerification {
  /// As the core has it.
  let verification: Verification
  /// What the vendor keeps with it.
  var record: LegacyRecord
  /// Which product's it is.
  let kind: Kind
  /// Its reference id.
  let reference: String

  /// A verification of a kind, with its id.
  init(_ verification: Verification, _ kind: Kind, in sandbox: Sandbox) throws {
    self.verification = verification
    self.kind = kind
    record = try LegacyRecord(verification.details)
    reference = referenceID(kind, verification.ordinal, in: sandbox)
  }

  /// The message that carries its code; nil where none was sent.
  func message(in sandbox: Sandbox) throws -> Message? {
    try sandbox.messages.find(about: reference, to: verification.claim.destination)
  }

  /// Writes down what the record says now.
  func keep(in sandbox: Sandbox) throws {
    try sandbox.verifications.save(record.encoded, with: verification)
  }
}

extension Call {
  /// The customer's verification of one of these kinds with a reference id; where there is none, `unknown` is the
  /// refusal. Source: contract 7.4.
  func findLegacyVerification(
    _ text: String, _ kinds: Set<Kind>, else unknown: Problem = .unknownReference
  ) throws -> LegacyVerification {
    guard isReference(text) else { throw Problem.invalidReference(text) }
    guard let (kind, ordinal) = resolve(text, in: sandbox), kinds.contains(kind) else {
      throw unknown.about(text, unknown.subResource)
    }
    // Its row may have gone the way of all history before its time was over.
    guard let verification = try sandbox.verifications.find(ordinal) else {
      throw Problem.expiredReference.about(text).because("history does not go back so far")
    }
    guard verification.claim.provider == TelesignProvider.name, verification.claim.owner == customer else {
      throw unknown.about(text, unknown.subResource).because("it is another customer's")
    }
    let end = verification.createdAt + .seconds(settings.retentionHours * 3600)
    guard sandbox.clock.now < end else {
      throw Problem.expiredReference.about(text)
        .because("it could be asked for until \(end.iso8601) (setting reference.retention_h)")
    }
    return try LegacyVerification(verification, kind, in: sandbox)
  }
}

extension Problem {
  /// 404 for an id whose time is over. Source: contract 7.4.
  static var expiredReference: Self { Self(-10004, in: .legacy) }

  /// 400 for a parameter whose value cannot be; the journal says which. Source: `data/telesign-codes.json`, -10001.
  static func invalidParameter(_ name: String, expected: String) -> Self {
    Self(-10001, 400, "Invalid parameter passed", in: .legacy).because("\(name): expected \(expected)")
  }
}
