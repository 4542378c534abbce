import Domain
import HTTP
import JSON
import ProviderKit

// App Verify: an app reads the code off the number of a call that nobody answers. Source: contract 8.

var appVerifyRoutes: [Route<Sandbox>] {
  [
    route(
      .post, "/v1/verify/auto/voice/initiate", as: "initiateAppVerification", of: .appVerify,
      initiateAppVerification),
    route(
      .post, "/v1/verify/auto/voice/finalize", as: "finalizeAppVerification", of: .appVerify,
      finalizeAppVerification),
    route(
      .post, "/v1/verify/auto/voice/finalize/callerid", as: "reportUnknownCaller", of: .appVerify,
      reportUnknownCaller),
    route(
      .post, "/v1/verify/auto/voice/finalize/timeout", as: "reportMissingCall", of: .appVerify,
      reportMissingCall),
    route(
      .get, "/v1/verify/auto/voice/{reference_id}", as: "fetchAppVerification", of: .appVerify,
      fetchAppVerification),
  ]
}

/// `POST /v1/verify/auto/voice/initiate`
func initiateAppVerification(_ call: Call) throws -> Response {
  let sending = try call.readAppVerification()
  let obstacle = try call.obstacle(to: sending)
  let begun = try obstacle.map { try call.block(sending, with: $0) } ?? call.send(sending)
  return call.answer { json in
    json.member("resource_uri", "/v1/auto/voice/finalize")
    call.write(begun, as: "auto_verify_initiate", to: &json)
    if obstacle == nil {
      json.member("prefix", callerPrefix)
      json.member("verify_code", begun.verification.code)
    }
    call.writeStatus(obstacle ?? 2400, to: &json)
  }
}

/// `GET /v1/verify/auto/voice/{reference_id}`
func fetchAppVerification(_ call: Call) throws -> Response {
  try call.appAnswer(call.findAppVerification(call.request[parameter: "reference_id"]))
}

/// What the number of a call begins with; the code follows. Source: the example in contract 8.
fileprivate let callerPrefix = "1555010"

extension Call {
  /// The customer's verification with a reference id. Source: contract 8.
  func findAppVerification(_ reference: String) throws -> LegacyVerification {
    try findLegacyVerification(reference, [.appVerification], else: Problem(-40004, in: .legacy))
  }

  /// The answer that shows how far a verification has come.
  func appAnswer(_ shown: LegacyVerification) throws -> Response {
    let status = try appStatus(of: shown)
    return answer { json in
      write(shown, as: shown.record.subResource, to: &json)
      writeStatus(status.code, at: status.at, to: &json)
    }
  }

  /// What all answers begin with. Source: contract 8.
  func write(_ shown: LegacyVerification, as subResource: String, to json: inout JSONWriter) {
    json.member("reference_id", shown.reference)
    json.member("sub_resource", subResource)
    json.noErrors()
  }

  /// As the app has ended it; before, whether the call has come through. Source: contract 8.
  private func appStatus(of shown: LegacyVerification) throws -> (code: Int, at: Timestamp) {
    if let outcome = shown.record.outcome { return (outcome, shown.verification.updatedAt) }
    guard let message = try shown.message(in: sandbox) else { return (2400, shown.verification.createdAt) }
    let step = try Course(of: message, in: sandbox).step(at: sandbox.clock.now)
    switch step.code {
    case 106, 107: return (2411, step.at)
    case 130: return (2430, step.at)
    default: return (2400, message.submittedAt)
    }
  }

  /// The status of a number that is none, or that no handset with apps can have. Source: contract 8.
  fileprivate func obstacle(to sending: LegacySending) throws -> Int? {
    let line = try Line(of: sending.number, in: sandbox)
    return line.flaw != nil ? 2404 : line.subscriber.lineType == .landline ? 2408 : nil
  }

  /// Reads the form; most of it describes the handset and changes nothing here. Source: contract 8.
  fileprivate func readAppVerification() throws -> LegacySending {
    try request.form.declare(Self.descriptions)
    let number = try number(required("phone_number"))
    if let text = try field("verification_timeout") {
      guard let seconds = Int(text), (1...45).contains(seconds) else {
        throw Problem.invalidParameter("verification_timeout", expected: "1 to 45 seconds")
      }
    }
    let prefix = callerPrefix
    var sending = LegacySending(
      kind: .appVerification, channel: .call, number: number,
      record: LegacyRecord(of: "app_verify_api"), codeLength: 5, code: try ownCode(5...5),
      sender: prefix, text: LegacyText("Call from \(prefix)$$CODE$$", language: nil))
    sending.senderEndsInCode = true
    sending.speech.onlyRings = true
    return sending
  }

  private static let descriptions = [
    "carrier", "connection_type", "device_icc", "device_phone_number", "is_roaming", "is_voice_capable",
    "network_type", "os_version", "platform_version",
  ]
}
