import ProviderKit

/// A verification as the response to its creation shows it. Source: contract 4.4.
struct VerificationView {
  fileprivate let verification: Verification
  fileprivate let details: VerificationDetails
  fileprivate let steps: [Step]
  private let reference: String
  private let mobileAppToken: String?

  init(_ verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox) throws {
    self.verification = verification
    self.details = details
    reference = ReferenceID.text(.verification, verification.ordinal, in: sandbox)
    steps = try sandbox.fallbacks.steps(of: verification)
    let beginsOnDevice = details.policy.entries.first.map { !$0.method.channel.carriesCode } ?? false
    mobileAppToken =
      beginsOnDevice || details.registersDevice ? MobileAppToken(of: verification, in: sandbox).text : nil
  }

  /// Source: contract 4.7.
  var state: String {
    switch verification.state {
    case .pending: steps.contains { $0.state == .offered } ? "CREATED" : "ONGOING"
    case .approved: "VERIFIED"
    case .denied, .exhausted: "REJECTED"
    case .canceled: "CANCELED"
    case .expired: "FAILED"
    }
  }

  func write(to json: inout JSONWriter) {
    writeHead(to: &json)
    if let mobileAppToken { json.member("mobile_app_token", mobileAppToken) }
    writeRequestFields(to: &json)
    json.object("status") {
      $0.member("code", 3901)
      $0.member("description", StatusTexts[3901])
    }
  }

  fileprivate func writeHead(to json: inout JSONWriter) {
    json.member("reference_id", reference)
    json.object("recipient") { details.recipient.write(to: &$0) }
    json.member("state", state)
    details.policy.write(to: &json)
  }

  fileprivate func writeRequestFields(to json: inout JSONWriter) {
    details.writeRegistrationFlags(to: &json)
    if let externalID = details.externalID { json.member("external_id", externalID) }
  }
}

/// A verification with the status of its methods, as the response to a retrieval and callbacks show it.
/// Source: contract 4.5.
struct FullVerificationView {
  let head: VerificationView
  private let methods: [MethodStatus]

  init(_ verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox) throws {
    head = try VerificationView(verification, details, in: sandbox)
    let delay = Duration.seconds(try Settings.current(in: sandbox).deliveredAfterSeconds)
    methods = try zip(details.policy.entries, head.steps).map { entry, step in
      MethodStatus(
        entry.method, step, try sandbox.fallbacks.message(of: step), at: sandbox.clock.now, delay: delay)
    }
  }

  func write(to json: inout JSONWriter) {
    head.writeHead(to: &json)
    json.array("inner_methods", methods) { json, method in json.value { method.write(to: &$0) } }
    head.writeRequestFields(to: &json)
    json.member("voice_lang", head.details.voiceLanguage)
    json.member("created_on", head.verification.createdAt.iso8601Microseconds)
    json.member("updated_on", updatedAt.iso8601Microseconds)
  }

  private var updatedAt: Timestamp {
    methods.reduce(head.verification.updatedAt) { max($0, $1.report?.at ?? $0) }
  }
}

/// The status of one method, an element of `inner_methods`. Source: contract 4.5 and 4.7.
struct MethodStatus {
  let method: VerificationMethod
  let step: Step
  /// The status code and its time; nil before the method starts.
  let report: (code: Int, at: Timestamp)?

  /// `delay`: how long the delivery status of a message is withheld.
  init(
    _ method: VerificationMethod, _ step: Step, _ message: Message?, at now: Timestamp, delay: Duration
  ) {
    self.method = method
    self.step = step
    report =
      step.startedAt == nil
      ? nil : Self.finalReport(of: step, message) ?? Self.progress(of: step, message, at: now, delay: delay)
  }

  func write(to json: inout JSONWriter) {
    json.member("method", method.rawValue)
    json.member("state", step.telesignState)
    guard let report else { return }
    json.member("err_code", report.code)
    json.member("err_msg", StatusTexts[report.code])
    json.member("tried_on", step.startedAt?.iso8601Microseconds)
    json.member("updated_on", report.at.iso8601Microseconds)
    json.member("expires_on", step.endsAt?.iso8601Microseconds)
  }

  /// Nil while the method is in progress.
  private static func finalReport(of step: Step, _ message: Message?) -> (code: Int, at: Timestamp)? {
    let code: Int? =
      switch step.state {
      case .verified: 3900
      case .rejected: 3904
      case .failed: code(of: step.failure ?? .timedOut, step, message)
      case .waiting, .skipped, .offered, .ongoing, .canceled: nil
      }
    return code.map { ($0, step.changedAt) }
  }

  private static func code(of failure: Step.Failure, _ step: Step, _ message: Message?) -> Int {
    switch failure {
    case .timedOut, .passedOver: step.timeout == nil ? 3908 : 3056
    case .undelivered: message.map { DeliveryStatus(of: $0, at: step.changedAt).omnichannelCode } ?? 3003
    case .unreachable: step.channel == .push ? 3055 : 3115
    case .mismatched: 4502
    case .denied: 3904
    }
  }

  /// The last report of the handset or the carrier.
  private static func progress(
    of step: Step, _ message: Message?, at now: Timestamp, delay: Duration
  ) -> (code: Int, at: Timestamp) {
    if let receipt = step.receipt { return (receipt == .read ? 3005 : 3000, step.changedAt) }
    guard let message, now >= message.submittedAt + delay else { return (3901, step.changedAt) }
    let status = DeliveryStatus(of: message, at: now)
    guard status.isFinal else { return (3901, step.changedAt) }
    let after = message.receipts(by: now).last?.after ?? .zero
    return (status.omnichannelCode, max(message.submittedAt + max(after, delay), step.changedAt))
  }
}

extension Step {
  /// Source: contract 4.7.
  fileprivate var telesignState: String {
    switch state {
    case .waiting, .offered: "CREATED"
    case .ongoing: "ONGOING"
    case .failed: "FAILED"
    case .verified: "VERIFIED"
    case .skipped: "SKIPPED"
    case .rejected: "REJECTED"
    case .canceled: "CANCELED"
    }
  }
}
