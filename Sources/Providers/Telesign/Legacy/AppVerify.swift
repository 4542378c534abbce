import Domain
import HTTP
import JSON
import ProviderKit

// App Verify: an app reads the code from the caller id of a call that nobody answers. Then it finalizes the
// verification: with the code, or with the reason why it has none. Source: contract 8.

func initiateAppVerification(_ context: RequestContext) throws -> Response {
  let draft = try context.readAppVerification()
  let externalID = try context.text("external_id", upTo: 100)
  let blockingStatus = try context.blockingStatus(of: draft.number)
  let started = try blockingStatus.map { try context.block(draft, with: $0) } ?? context.send(draft)
  if let externalID { try ExternalIDs(of: context).save(externalID, for: started.reference) }
  return context.respond { json in
    json.member("resource_uri", "/v1/auto/voice/finalize")
    context.writeHead(started, as: "auto_verify_initiate", to: &json)
    if blockingStatus == nil {
      json.member("prefix", callerPrefix)
      json.member("verify_code", started.verification.code)
    }
    context.writeStatus(blockingStatus ?? 2400, to: &json)
  }
}

func fetchAppVerification(_ context: RequestContext) throws -> Response {
  try context.appResponse(context.findAppVerification(context.request[parameter: "reference_id"]))
}

/// `GET /v1/mobile/verification/status/{external_id}`: the newest verification with this id of the customer's
/// own. Source: contract, Additions of 2026-11-22.
func fetchAppVerificationByExternalID(_ context: RequestContext) throws -> Response {
  let externalID = context.request[parameter: "external_id"]
  guard let reference = try ExternalIDs(of: context).find(externalID) else {
    throw APIError(-40004, in: .legacy).because("no app verification has the external_id \(externalID)")
  }
  return try context.appResponse(context.findAppVerification(reference))
}

/// `POST /v1/verify/auto/voice/finalize`. Without a code it is a success too.
func finalizeAppVerification(_ context: RequestContext) throws -> Response {
  let found = try context.findUnfinalized()
  let code = try context.field("verify_code")
  let isValid = code.map(found.verification.accepts) ?? true
  let finalized = try context.finalize(found, with: isValid ? 2401 : 2402)
  return context.respond { json in
    json.member("resource_uri", "/v1/verify/\(finalized.reference)")
    context.writeHead(finalized, as: "auto_verify_finalize", to: &json)
    if let code { json.member("verify_code", code) }
    context.writeStatus(finalized.details.statusCode ?? 2402, to: &json)
  }
}

/// `POST /v1/verify/auto/voice/finalize/callerid`: the caller id had another prefix.
func reportUnknownCaller(_ context: RequestContext) throws -> Response {
  _ = try context.required("unknown_caller_id")
  return try context.finalizeAsFailed(2407, as: "auto_verify_finalize_unknown")
}

/// `POST /v1/verify/auto/voice/finalize/timeout`: no call came.
func reportMissingCall(_ context: RequestContext) throws -> Response {
  try context.finalizeAsFailed(2409, as: "auto_verify_finalize_timeout")
}

/// The caller id before the code. Source: the example in contract 8.
private let callerPrefix = "1555010"

extension RequestContext {
  /// The response to a query. Source: contract 8.
  func appResponse(_ found: LegacyVerification) throws -> Response {
    let status = try appStatus(of: found)
    return respond { json in
      writeHead(found, as: found.details.subResource, to: &json)
      writeStatus(status.code, at: status.at, to: &json)
    }
  }

  /// The first members of all responses. Source: contract 8.
  fileprivate func writeHead(
    _ found: LegacyVerification, as subResource: String, to json: inout JSONWriter
  ) {
    json.member("reference_id", found.reference)
    json.member("sub_resource", subResource)
    json.noErrors()
  }

  /// The status that the app has reported; before that, whether the call failed. Source: contract 8.
  private func appStatus(of found: LegacyVerification) throws -> (code: Int, at: Timestamp) {
    if let code = found.details.statusCode { return (code, found.verification.updatedAt) }
    guard let message = try found.message(in: sandbox) else { return (2400, found.verification.createdAt) }
    let entry = try DeliveryTimeline(of: message, in: sandbox).entry(at: sandbox.clock.now)
    switch entry.code {
    case 106, 107: return (2411, entry.at)
    case 130: return (2430, entry.at)
    default: return (2400, message.submittedAt)
    }
  }

  /// The status code if the number is invalid or a landline; nil if it can be called. Source: contract 8.
  fileprivate func blockingStatus(of number: ParsedNumber) throws -> Int? {
    let line = try LineInfo(of: number, in: sandbox)
    if line.invalidReason != nil { return 2404 }
    return line.subscriber.lineType == .landline ? 2408 : nil
  }

  /// Most parameters describe the handset and have no effect. Source: contract 8.
  fileprivate func readAppVerification() throws -> LegacyCodeDraft {
    try request.form.declare(Self.ignoredParameters)
    let number = try number(required("phone_number"))
    if let text = try field("verification_timeout") {
      guard let seconds = Int(text), (1...45).contains(seconds) else {
        throw APIError.invalidParameter("verification_timeout", expected: "1 to 45 seconds")
      }
    }
    var draft = LegacyCodeDraft(
      kind: .appVerification, channel: .call, number: number,
      details: LegacyDetails(of: "app_verify_api"), codeLength: 5, code: try customCode(5...5),
      sender: callerPrefix, text: CodeText("Call from \(callerPrefix)$$CODE$$", language: nil))
    draft.senderEndsInCode = true
    draft.speech.onlyRings = true
    return draft
  }

  private static let ignoredParameters = [
    "carrier", "connection_type", "device_icc", "device_phone_number", "is_roaming", "is_voice_capable",
    "network_type", "os_version", "platform_version",
  ]

  fileprivate func findAppVerification(_ reference: String) throws -> LegacyVerification {
    try findLegacyVerification(reference, [.appVerification], else: APIError(-40004, in: .legacy))
  }

  /// The verification that the form names, which must not be finalized yet.
  fileprivate func findUnfinalized() throws -> LegacyVerification {
    let found = try findAppVerification(required("reference_id"))
    guard let statusCode = found.details.statusCode else { return found }
    throw APIError(-30014, in: .legacy).about(found.reference)
      .because("it was finalized at \(found.verification.updatedAt.iso8601) with \(statusCode)")
  }

  fileprivate func finalizeAsFailed(_ status: Int, as subResource: String) throws -> Response {
    let finalized = try finalize(findUnfinalized(), with: status)
    return respond { json in
      writeHead(finalized, as: subResource, to: &json)
      writeStatus(status, to: &json)
    }
  }

  /// Completes the verification and stores the status code. After a timeout it cannot succeed.
  fileprivate func finalize(_ found: LegacyVerification, with status: Int) throws -> LegacyVerification {
    let concluded = try sandbox.verifications.finish(
      found.verification, as: status == 2401 ? .approved : .denied)
    var finalized = found
    finalized.details.statusCode = concluded == nil && status == 2401 ? 2402 : status
    try finalized.saveDetails(in: sandbox)
    return finalized
  }
}

/// The customer's own ids of app verifications, each with the newest reference id.
private struct ExternalIDs {
  private let context: RequestContext

  init(of context: RequestContext) {
    self.context = context
  }

  func find(_ externalID: String) throws -> String? {
    try context.sandbox.records.find(key(externalID), in: Self.section).map {
      try Fields(Array($0.record.utf8)).string("reference")
    }
  }

  /// Saves an id, and deletes up to two whose reference ids have expired. So their number never grows.
  func save(_ externalID: String, for reference: String) throws {
    let records = context.sandbox.records
    let now = context.sandbox.clock.now
    for item in try records.list(Self.section, of: context.customer, limit: 2) {
      let savedAt = Timestamp(milliseconds: Int64(try Fields(Array(item.record.utf8)).int("at")))
      if now - savedAt >= .seconds(context.settings.retentionHours * 3600) {
        _ = try records.delete(item.key, in: Self.section)
      }
    }
    let record = JSONWriter.object { json in
      json.member("reference", reference)
      json.member("at", now.milliseconds)
    }
    try records.save(record, under: key(externalID), of: context.customer, in: Self.section)
  }

  private func key(_ externalID: String) -> String { "\(context.customer) \(externalID)" }

  private static let section = RecordStore.Section(provider: TelesignProvider.name, kind: "external-id")
}
