import Domain
import HTTP
import JSON
import ProviderKit

/// What the vendor keeps with a verification beyond what the core knows.
struct VerificationDetails: Equatable {
  /// The account on whose behalf it was made, where that is not the Service's.
  var account: String?
  /// What is to be paid, under PSD2.
  var amount: String?
  /// Whom it is paid to, under PSD2.
  var payee: String?

  /// Details from their parts.
  init(account: String?, amount: String?, payee: String?) {
    self.account = account
    self.amount = amount
    self.payee = payee
  }

  /// Reads what `encoded` wrote.
  init(_ text: String) throws {
    guard text != Self.none else { return }
    let fields = try Fields(Array(text.utf8))
    account = try fields.optionalString("account")
    amount = try fields.optionalString("amount")
    payee = try fields.optionalString("payee")
  }

  /// As the core keeps them.
  var encoded: String {
    guard account != nil || amount != nil || payee != nil else { return Self.none }
    let bytes = JSONWriter.object { json in
      json.member("account", account)
      json.member("amount", amount)
      json.member("payee", payee)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// As most verifications have them.
  private static let none = "{}"
}

/// A Verification as answers show it. Source: contract 4.1.
struct VerificationBody {
  let verification: Verification
  let details: VerificationDetails
  let account: String
  let subscriber: Subscriber?
  let settings: Settings
  let base: String
  /// What a phone is to open; nil unless its newest sending is a silent one.
  let silentURL: String?
  let sandbox: Sandbox

  /// The whole answer.
  var encoded: [UInt8] {
    let sid = sid(of: verification, in: sandbox)
    return JSONWriter.object { json in
      json.member("sid", sid)
      json.member("service_sid", verification.claim.owner)
      json.member("account_sid", details.account ?? account)
      json.member("to", verification.claim.destination)
      json.member("channel", verification.channel.twilioWord)
      json.member("status", verification.state.twilioWord)
      json.member("valid", verification.state == .approved)
      verification.createdAt.write(iso8601: "date_created", to: &json)
      verification.updatedAt.write(iso8601: "date_updated", to: &json)
      writeLookup(to: &json)
      json.member("amount", details.amount)
      json.member("payee", details.payee)
      json.array("send_code_attempts", verification.attempts.all) { json, attempt in
        json.value { writeAttempt(attempt, to: &$0) }
      }
      if let silentURL {
        json.object("sna") { $0.member("url", silentURL) }
      } else {
        json.null("sna")
      }
      json.member(
        "url", String(joining: base, "/v2/Services/", verification.claim.owner, "/Verifications/", sid))
    }
  }

  private func writeLookup(to json: inout JSONWriter) {
    json.object("lookup") { json in
      guard let subscriber else {
        if settings.lookupWhenDisabled == "carrierNull" { json.null("carrier") }
        return
      }
      json.object("carrier") {
        $0.member("mobile_country_code", subscriber.mcc)
        $0.member("mobile_network_code", subscriber.mnc)
        $0.member("name", subscriber.operatorName)
        $0.member("type", subscriber.lineType.twilioWord)
        $0.null("error_code")
      }
    }
  }

  private func writeAttempt(_ attempt: Attempt, to json: inout JSONWriter) {
    let word = attempt.channel.twilioWord
    json.member("attempt_sid", sid(of: attempt, of: verification, in: sandbox))
    json.member("channel", settings.attemptChannelCase == "upper" ? word.uppercased() : word)
    json.member("time", attempt.sentAt.iso8601Milliseconds)
  }
}

/// A VerificationCheck as answers show it. Source: contract 4.3.
struct CheckBody {
  let verification: Verification
  let details: VerificationDetails
  let account: String
  let sid: String
  /// What went wrong with its silent sendings; nil unless the newest is one.
  let silentFailures: [SilentFailure]?

  /// The whole answer.
  var encoded: [UInt8] {
    JSONWriter.object { json in
      json.member("sid", sid)
      json.member("service_sid", verification.claim.owner)
      json.member("account_sid", details.account ?? account)
      json.member("to", verification.claim.destination)
      json.member("channel", verification.channel.twilioWord)
      json.member("status", verification.state.twilioWord)
      json.member("valid", verification.state == .approved)
      json.member("amount", details.amount)
      json.member("payee", details.payee)
      if let silentFailures {
        json.array("sna_attempts_error_codes", silentFailures) { json, failure in
          json.value {
            $0.member("attempt_sid", failure.attempt)
            $0.member("code", failure.code)
          }
        }
      } else {
        json.null("sna_attempts_error_codes")
      }
      verification.createdAt.write(iso8601: "date_created", to: &json)
      verification.updatedAt.write(iso8601: "date_updated", to: &json)
    }
  }
}

extension Verification.State {
  /// The vendor's word. Source: contract 4.4.
  fileprivate var twilioWord: String {
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
  /// The vendor's word. Source: contract 4.1.
  fileprivate var twilioWord: String {
    self == .silent ? "sna" : rawValue
  }
}

extension Subscriber.LineType {
  /// The vendor's word, one of three. Source: contract 4.1.
  fileprivate var twilioWord: String {
    switch self {
    case .landline: "landline"
    case .fixedVoip, .nonFixedVoip: "voip"
    default: "mobile"
    }
  }
}
