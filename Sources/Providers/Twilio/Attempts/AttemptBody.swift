import ProviderKit

/// An attempt in responses. Source: contract 6.
struct AttemptBody {
  fileprivate let sid: String
  fileprivate let account: String
  fileprivate let url: String
  fileprivate let verificationSid: String
  fileprivate let codeLength: Int
  fileprivate let locale: String
  fileprivate let item: AttemptOfVerification
  fileprivate let delivery: DeliveryStatus?
  fileprivate let network: Network?
  fileprivate let country: String?

  func write(to json: inout JSONWriter) {
    let (verification, attempt) = (item.verification, item.attempt)
    let ended = item.isLast && verification.state != .pending ? verification.updatedAt : attempt.sentAt
    json.member("sid", sid)
    json.member("account_sid", account)
    json.member("service_sid", verification.claim.owner)
    json.member("verification_sid", verificationSid)
    attempt.sentAt.write(iso8601: "date_created", to: &json)
    max(ended, delivery?.changedAt ?? ended).write(iso8601: "date_updated", to: &json)
    json.member("conversion_status", item.isConverted ? "converted" : "unconverted")
    json.member("channel", attempt.channel.attemptName)
    json.object("price") {
      $0.member("value", "0.0075")
      $0.member("currency", "usd")
    }
    json.object("channel_data") { writeChannelData(to: &$0) }
    json.member("url", url)
  }

  private func writeChannelData(to json: inout JSONWriter) {
    let (verification, attempt) = (item.verification, item.attempt)
    json.member("verification_sid", verificationSid)
    json.member("to", verification.claim.destination)
    json.member("status", status)
    if attempt.channel == .call {
      json.member("call_status", delivery?.name)
    } else {
      json.member("message_status", delivery?.name)
    }
    json.member("error_code", delivery?.failure.map { String($0.code) })
    json.member("country", country)
    json.member("code_length", codeLength)
    json.member("locale", locale)
    json.member("mcc", network?.mcc)
    json.member("mnc", network?.mnc)
    json.member("carrier", network?.name)
  }

  fileprivate struct Network {
    let mcc: String
    let mnc: String
    let name: String

    init(of subscriber: Subscriber) {
      (mcc, mnc, name) = (subscriber.mcc, subscriber.mnc, subscriber.operatorName)
    }
  }

  private var status: String {
    if item.isConverted { return "confirmed" }
    return item.verification.state == .expired ? "expired" : "unconfirmed"
  }
}

/// Makes the bodies of attempts. Attempts of one verification follow each other, so its messages are read
/// once.
struct AttemptBodies {
  private let context: RequestContext
  private let url: String
  private var last: (verification: Int, messages: [Int: Message])?

  init(_ context: RequestContext) {
    self.context = context
    url = "\(context.baseURL)/v2/Attempts/"
  }

  mutating func body(of item: AttemptOfVerification) throws -> AttemptBody {
    let (verification, sandbox) = (item.verification, context.sandbox)
    let attemptSid = VerificationSid.ofAttempt(item.attempt.number, of: verification, in: sandbox)
    let number = PhoneNumber(verification.claim.destination)
    let service = try Service.find(verification.claim.owner, for: context.caller, in: sandbox)
    return AttemptBody(
      sid: attemptSid, account: context.caller.account, url: url + attemptSid,
      verificationSid: VerificationSid.of(verification, in: sandbox),
      codeLength: verification.code.isEmpty ? service?.value.digits ?? 6 : verification.code.count,
      locale: try VerificationDetails(of: verification).locale ?? "en", item: item,
      delivery: try message(of: item).map { try DeliveryStatus(of: $0, in: sandbox) },
      network: try number.map { .init(of: try sandbox.subscribers[$0]) }, country: number.flatMap(\.country))
  }

  /// Nil for silent attempts, and for messages that are no longer kept.
  private mutating func message(of item: AttemptOfVerification) throws -> Message? {
    if last?.verification != item.verification.ordinal {
      last = (item.verification.ordinal, try messages(of: item.verification))
    }
    let number = item.attempt.number
    return last?.messages[number]
  }

  /// By the number of the attempt. Messages follow the verification closely, so reading a few is enough.
  private func messages(of verification: Verification) throws -> [Int: Message] {
    let attempts = verification.attempts.all.filter { $0.channel.carriesCode }
    let reference = VerificationSid.of(verification, in: context.sandbox)
    // The message of the only attempt is the record after its verification.
    if attempts.count == 1, let next = try context.sandbox.messages.find(verification.ordinal + 1),
      next.reference == reference, next.channel == attempts[0].channel, next.submittedAt == attempts[0].sentAt
    {
      return [attempts[0].number: next]
    }
    var filter = Messages.Filter()
    (filter.provider, filter.destination) = (TwilioProvider.name, verification.claim.destination)
    filter.after = verification.ordinal
    let found = try context.sandbox.messages.page(filter, onHandsets: false, limit: attempts.count &* 2 &+ 50)
      .filter { $0.reference == reference }
    var rest = zip([nil] + found, found).filter { !($0.map($1.isCopy) ?? false) }.map(\.1)[...]
    var messages: [Int: Message] = [:]
    for attempt in attempts {
      let found = rest.first { $0.channel == attempt.channel && $0.submittedAt == attempt.sentAt }
      guard let found else { continue }
      let number = attempt.number
      messages[number] = found
      rest = rest.drop { $0.ordinal <= found.ordinal }
    }
    return messages
  }
}

extension Channel {
  /// Source: contract 4.1 and 6.
  var attemptName: String { self == .rcs ? "rbm" : twilioName }
}
