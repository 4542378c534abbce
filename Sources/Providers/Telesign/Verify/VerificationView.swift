import Domain
import JSON
import ProviderKit

/// A verification as the Verify API shows it at a time. Source: contract 4.4 and 4.5.
struct VerificationView {
  let verification: Verification
  let details: VerificationDetails
  let reference: String
  let methods: [InnerMethod]
  private let mobileAppToken: String?

  /// The view of a verification now.
  init(_ verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox) throws {
    self.verification = verification
    self.details = details
    reference = referenceID(.verification, verification.ordinal, in: sandbox)
    let delay = Duration.seconds(try Settings.current(in: sandbox).deliveredAfter)
    let steps = try sandbox.fallbacks.steps(of: verification)
    methods = try zip(details.policy.entries, steps).map { entry, step in
      InnerMethod(
        entry.method, step, try sandbox.fallbacks.message(of: step), at: sandbox.clock.now, delay: delay)
    }
    let asksDevice = details.policy.entries.first.map { !$0.method.channel.carriesCode } ?? false
    mobileAppToken =
      asksDevice || details.registersDevice ? MobileAppToken(of: verification, in: sandbox).text : nil
  }

  /// Source: contract 4.7.
  var state: String {
    switch verification.state {
    case .pending: methods.contains { $0.step.state == .offered } ? "CREATED" : "ONGOING"
    case .approved: "VERIFIED"
    case .denied, .exhausted: "REJECTED"
    case .canceled: "CANCELED"
    case .expired: "FAILED"
    }
  }

  /// The members of the answer to a creation.
  func writeCreation(to json: inout JSONWriter) {
    writeHead(to: &json)
    if let mobileAppToken { json.member("mobile_app_token", mobileAppToken) }
    writeEcho(to: &json)
    json.object("status") {
      $0.member("code", 3901)
      $0.member("description", statusText(3901))
    }
  }

  /// The members of the answer to a retrieval, and of callbacks.
  func writeRetrieval(to json: inout JSONWriter) {
    writeHead(to: &json)
    json.array("inner_methods", methods) { json, method in json.value { method.write(to: &$0) } }
    writeEcho(to: &json)
    json.member("voice_lang", details.voiceLanguage)
    json.member("created_on", verification.createdAt.microseconds)
    json.member("updated_on", updatedAt.microseconds)
  }

  private func writeHead(to json: inout JSONWriter) {
    json.member("reference_id", reference)
    json.object("recipient") { details.recipient.write(to: &$0) }
    json.member("state", state)
    details.policy.write(to: &json)
  }

  private func writeEcho(to json: inout JSONWriter) {
    details.writeFlags(to: &json)
    if let externalID = details.externalID { json.member("external_id", externalID) }
  }

  private var updatedAt: Timestamp {
    methods.reduce(verification.updatedAt) { max($0, $1.report?.at ?? $0) }
  }
}
