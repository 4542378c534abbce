import ProviderKit

// App Verify: an app reads the code from the caller id of a call that nobody answers. Then it finalizes the
// verification: with the code, or with the reason why it has none. Source: contract 8.

func initiateAppVerification(_ context: RequestContext) throws -> Response {
  let form = try LegacyForm(context.request)
  let draft = try draft(of: form, context)
  let externalID = try form.text("external_id", upTo: 100)
  let blockingStatus = try blockingStatus(of: draft.number, in: context.sandbox)
  let started = AppVerification(
    try blockingStatus.map { try draft.block(with: $0, for: context) } ?? draft.send(for: context))
  if let externalID { try ExternalIDs(of: context).save(externalID, for: started.record.reference) }
  let status = started.record.details.statusCode
  return .json(200) { json in
    json.member("resource_uri", "/v1/auto/voice/finalize")
    started.writeHead(as: "auto_verify_initiate", to: &json)
    if status == nil {
      json.member("prefix", callerPrefix)
      json.member("verify_code", started.record.verification.code)
    }
    context.writeStatus(status ?? 2400, to: &json)
  }
}

func fetchAppVerification(_ context: RequestContext) throws -> Response {
  try AppVerification.find(context.request[parameter: "reference_id"], for: context).response(to: context)
}

/// `GET /v1/mobile/verification/status/{external_id}`: the newest verification with this id of the customer's
/// own. Source: contract, Additions of 2026-11-22.
func fetchAppVerificationByExternalID(_ context: RequestContext) throws -> Response {
  let externalID = context.request[parameter: "external_id"]
  guard let reference = try ExternalIDs(of: context).find(externalID) else {
    throw APIError(-40004, in: .legacy).because("no app verification has the external_id \(externalID)")
  }
  return try AppVerification.find(reference, for: context).response(to: context)
}

/// `POST /v1/verify/auto/voice/finalize`. Without a code it is a success too.
func finalizeAppVerification(_ context: RequestContext) throws -> Response {
  let form = try LegacyForm(context.request)
  var found = try AppVerification.findUnfinalized(form, for: context)
  let code = form.text("verify_code")
  let isValid = code.map(found.record.verification.accepts) ?? true
  try found.finalize(with: isValid ? 2401 : 2402, in: context.sandbox)
  return .json(200) { json in
    json.member("resource_uri", "/v1/verify/\(found.record.reference)")
    found.writeHead(as: "auto_verify_finalize", to: &json)
    if let code { json.member("verify_code", code) }
    context.writeStatus(found.record.details.statusCode ?? 2402, to: &json)
  }
}

/// `POST /v1/verify/auto/voice/finalize/callerid`: the caller id had another prefix.
func reportUnknownCaller(_ context: RequestContext) throws -> Response {
  let form = try LegacyForm(context.request)
  _ = try form.required("unknown_caller_id")
  return try finalizeAsFailed(2407, as: "auto_verify_finalize_unknown", form, context)
}

/// `POST /v1/verify/auto/voice/finalize/timeout`: no call came.
func reportMissingCall(_ context: RequestContext) throws -> Response {
  let form = try LegacyForm(context.request)
  return try finalizeAsFailed(2409, as: "auto_verify_finalize_timeout", form, context)
}

private func finalizeAsFailed(
  _ status: Int, as subResource: String, _ form: LegacyForm, _ context: RequestContext
) throws -> Response {
  var found = try AppVerification.findUnfinalized(form, for: context)
  try found.finalize(with: status, in: context.sandbox)
  return .json(200) { json in
    found.writeHead(as: subResource, to: &json)
    context.writeStatus(status, to: &json)
  }
}

/// The caller id before the code. Source: the example in contract 8.
private let callerPrefix = "1555010"

/// They describe the handset and have no effect. Source: contract 8.
private let ignoredParameters = [
  "carrier", "connection_type", "device_icc", "device_phone_number", "is_roaming", "is_voice_capable",
  "network_type", "os_version", "platform_version",
]

private func draft(of form: LegacyForm, _ context: RequestContext) throws -> LegacyCodeDraft {
  form.declare(ignoredParameters)
  let number = try ParsedNumber.toSendTo(form.required("phone_number"), in: context)
  if let text = form.text("verification_timeout") {
    guard let seconds = Int(text), (1...45).contains(seconds) else {
      throw APIError.invalidParameter("verification_timeout", expected: "1 to 45 seconds")
    }
  }
  var draft = LegacyCodeDraft(
    kind: .appVerification, channel: .call, number: number,
    details: LegacyDetails(of: "app_verify_api"), codeLength: 5, code: try form.customCode(5...5),
    sender: callerPrefix, text: CodeText("Call from \(callerPrefix)$$CODE$$", language: nil))
  draft.senderEndsInCode = true
  draft.speech.onlyRings = true
  return draft
}

/// The status code if the number is invalid or a landline; nil if it can be called. Source: contract 8.
private func blockingStatus(of number: ParsedNumber, in sandbox: Sandbox) throws -> Int? {
  let line = try LineInfo(of: number, in: sandbox)
  if line.invalidReason != nil { return 2404 }
  return line.subscriber.lineType == .landline ? 2408 : nil
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
