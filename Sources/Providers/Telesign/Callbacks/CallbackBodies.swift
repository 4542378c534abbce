import Domain
import JSON
import ProviderKit

// The bodies of callbacks. Source: contract 13.2 to 13.4.

/// The body of a callback as it is at a time; nil where what it is about is gone. Each product's body has its
/// place here, by the callback's kind.
func callbackBody(_ callback: Callback, at time: Timestamp, in sandbox: Sandbox) throws -> [UInt8]? {
  switch callback.kind {
  case .verification: try verificationBody(callback, in: sandbox)
  case .verifyDelivery: try verifyBody(callback, at: time, in: sandbox)
  case .messageDelivery, .omnichannelDelivery: try messageBody(callback, at: time, in: sandbox)
  }
}

/// What became of the message of an SMS, Voice or Smart verification. Source: contract 13.2.
private func verifyBody(
  _ callback: Callback, at time: Timestamp, in sandbox: Sandbox
) throws -> [UInt8]? {
  guard let verification = try sandbox.verifications.find(callback.subject),
    let message = try sandbox.messages.find(
      about: callback.reference, to: verification.claim.destination)
  else { return nil }
  let record = try LegacyRecord(verification.details)
  let step = try Course(of: message, in: sandbox).step(at: time)
  let facts = try DeliveryFacts(of: message, in: sandbox)
  return JSONWriter.object { json in
    json.member("reference_id", callback.reference)
    json.member("sub_resource", record.subResource)
    json.noErrors()
    write(step, to: &json)
    json.member("submit_timestamp", message.submittedAt.microseconds)
    json.object("verify") { json in
      json.member("code_state", record.verdict.rawValue)
      json.member("code_entered", record.entered)
    }
    facts.write(to: &json)
  }
}

/// What became of a message or a call of no verification. Source: contract 13.3.
private func messageBody(
  _ callback: Callback, at time: Timestamp, in sandbox: Sandbox
) throws -> [UInt8]? {
  guard let message = try sandbox.messages.find(callback.subject) else { return nil }
  var step = try Course(of: message, in: sandbox).step(at: time)
  if callback.kind == .omnichannelDelivery {
    let code = Delivery(of: message, at: time).omnichannel
    step = Course.Step(at: step.at, code: code, isFinal: step.isFinal)
  }
  let facts = try DeliveryFacts(of: message, in: sandbox)
  return JSONWriter.object { json in
    json.member("reference_id", callback.reference)
    json.member("external_id", callback.externalID)
    write(step, to: &json)
    json.member("submit_timestamp", message.submittedAt.microseconds)
    facts.write(to: &json)
  }
}

private func write(_ step: Course.Step, to json: inout JSONWriter) {
  json.object("status") { json in
    json.member("code", step.code)
    json.member("description", statusText(step.code))
    json.member("updated_on", step.at.microseconds)
  }
}
