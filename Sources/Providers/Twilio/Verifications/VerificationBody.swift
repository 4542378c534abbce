import ProviderKit

/// A verification in responses. Source: contract 4.1.
struct VerificationBody {
  private let verification: Verification
  private let details: VerificationDetails
  private let attempts: [Attempt]
  private let context: RequestContext
  /// The number of the attempt whose time has milliseconds; 0: none. Source: contract 20.
  private let preciseAttempt: Int

  /// Times of attempts are in whole seconds; in the response to a creation, the newest has milliseconds.
  /// Source: contract 20.
  init(
    _ verification: Verification, _ details: VerificationDetails, in context: RequestContext,
    isCreation: Bool = false
  ) {
    self.verification = verification
    self.details = details
    self.context = context
    attempts = verification.attempts.all
    preciseAttempt = isCreation ? attempts.count : 0
  }

  init(_ verification: Verification, in context: RequestContext) throws {
    self.init(verification, try VerificationDetails(of: verification), in: context)
  }

  func json() throws -> [UInt8] {
    let subscriber = try lookedUpSubscriber()
    let silentURL = try SilentURL.find(for: verification, in: context.sandbox)
    let sid = VerificationSid.of(verification, in: context.sandbox)
    return JSONWriter.object { json in
      json.member("sid", sid)
      json.member("service_sid", verification.claim.owner)
      json.member("account_sid", context.caller.account)
      json.member("to", verification.claim.destination)
      json.member("channel", verification.channel.twilioName)
      json.member("status", verification.state.twilioName)
      json.member("valid", verification.state == .approved)
      verification.createdAt.write(iso8601: "date_created", to: &json)
      verification.updatedAt.write(iso8601: "date_updated", to: &json)
      writeLookup(of: subscriber, to: &json)
      json.member("amount", details.amount)
      json.member("payee", details.payee)
      json.array("send_code_attempts", attempts) { json, attempt in
        json.value { write(attempt, to: &$0) }
      }
      if let silentURL { json.object("sna") { $0.member("url", silentURL) } }
      json.member(
        "url",
        String(joining: context.baseURL, "/v2/Services/", verification.claim.owner, "/Verifications/", sid))
    }
  }

  /// Nil if the Service has LookupEnabled off.
  private func lookedUpSubscriber() throws -> Subscriber? {
    guard context.service.lookupEnabled ?? false, let number = PhoneNumber(verification.claim.destination)
    else { return nil }
    return try context.sandbox.subscribers[number]
  }

  private func writeLookup(of subscriber: Subscriber?, to json: inout JSONWriter) {
    json.object("lookup") { json in
      guard let subscriber else {
        if context.settings.lookupWhenDisabled == .carrierNull { json.null("carrier") }
        return
      }
      json.object("carrier") {
        $0.member("mobile_country_code", subscriber.mcc)
        $0.member("mobile_network_code", subscriber.mnc)
        $0.member("name", subscriber.operatorName)
        $0.member("type", subscriber.lineType.twilioName)
        $0.null("error_code")
      }
    }
  }

  private func write(_ attempt: Attempt, to json: inout JSONWriter) {
    let channel = attempt.channel.twilioName
    json.member(
      "attempt_sid", VerificationSid.ofAttempt(attempt.number, of: verification, in: context.sandbox))
    json.member("channel", context.settings.attemptChannelCase == .upper ? channel.uppercased() : channel)
    let time = attempt.number == preciseAttempt ? attempt.sentAt : attempt.sentAt.wholeSeconds
    time.write(iso8601Milliseconds: "time", to: &json)
  }
}

extension Verification.State {
  /// Source: contract 4.4.
  var twilioName: String {
    switch self {
    case .pending: "pending"
    case .approved: "approved"
    case .denied: "failed"
    case .canceled: "canceled"
    case .expired: "expired"
    case .exhausted: "max_attempts_reached"
    }
  }
}

extension Channel {
  /// Source: contract 4.1.
  var twilioName: String { self == .silent ? "sna" : rawValue }
}

extension LineType {
  /// Lines that are neither mobile, landline nor voice over IP have Lookup's name. Source: contract 4.1 and
  /// 16.1.
  fileprivate var twilioName: String {
    switch self {
    case .fixedVoip, .nonFixedVoip: "voip"
    default: lookupName
    }
  }
}
