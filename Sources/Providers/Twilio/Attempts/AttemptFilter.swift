import ProviderKit

/// One send, with the verification that it belongs to.
struct AttemptOfVerification {
  let verification: Verification
  let attempt: Attempt

  /// True for the last attempt before the approval. Source: contract 6.
  var isConverted: Bool { verification.state == .approved && isLast }

  var isLast: Bool { attempt.number == verification.attempts.all.last?.number }
}

/// Selects attempts. Nil members select all. Source: contract 6.
struct AttemptFilter {
  static let parameters = [
    "DateCreatedAfter", "DateCreatedBefore", "ChannelData.To", "Country", "Channel", "VerifyServiceSid",
    "VerificationSid", "Status",
  ]
  static let summaryParameters = [
    "VerifyServiceSid", "DateCreatedAfter", "DateCreatedBefore", "Country", "Channel", "DestinationPrefix",
  ]

  private var after: Timestamp?
  private var before: Timestamp?
  private var destination: String?
  /// Digits, without `+`.
  private var prefix: String?
  private var country: String?
  private var channel: Channel?
  private var service: String?
  private var verification: String?
  private var isConverted: Bool?

  init(_ query: Form, of context: RequestContext) throws(APIError) {
    after = try Self.time("DateCreatedAfter", in: query)
    before = try Self.time("DateCreatedBefore", in: query)
    // A `+` in a query is a space, and some clients do not encode it.
    destination = query.text("ChannelData.To").map { $0.hasPrefix(" ") ? "+" + $0.dropFirst() : $0 }
    prefix = query.text("DestinationPrefix").map { String($0.drop { $0 == "+" || $0 == " " }) }
    country = query.text("Country")?.uppercased()
    if let country, country.utf8.count != 2 {
      throw .invalidParameter("Country", expected: "two letters of ISO 3166-1 such as US")
    }
    if let word = query.text("Channel")?.lowercased() {
      guard let channel = Channel.allCases.first(where: { $0.attemptName == word }) else {
        throw .invalidParameter("Channel", expected: "sms, call, email, whatsapp or rbm")
      }
      self.channel = channel
    }
    service = try Self.sid(.service, "VerifyServiceSid", in: query)
    verification = try Self.sid(.verification, "VerificationSid", in: query)
    switch query.text("Status")?.lowercased() {
    case nil: break
    case "converted": isConverted = true
    case "unconverted": isConverted = false
    default: throw .invalidParameter("Status", expected: "converted or unconverted")
    }
  }

  private static func time(_ name: String, in query: Form) throws(APIError) -> Timestamp? {
    guard let text = query.text(name) else { return nil }
    guard let time = Timestamp(iso8601: text) else {
      throw .invalidParameter(name, expected: "a time such as 2026-01-05T10:20:30Z")
    }
    return time
  }

  private static func sid(_ kind: SidKind, _ name: String, in query: Form) throws(APIError) -> String? {
    guard let text = query.text(name) else { return nil }
    guard kind.matches(text) else {
      throw .invalidParameter(name, expected: "\(kind.rawValue) and 32 hex digits")
    }
    return text
  }

  private func matches(_ candidate: AttemptOfVerification) -> Bool {
    let (verification, attempt) = (candidate.verification, candidate.attempt)
    let to = verification.claim.destination
    if let after, attempt.sentAt < after { return false }
    if let before, attempt.sentAt > before { return false }
    if let destination, to != destination { return false }
    if let prefix, !to.hasPrefix("+" + prefix) { return false }
    if let country, PhoneNumber(to).flatMap(\.country) != country { return false }
    if let channel, attempt.channel != channel { return false }
    if let service, verification.claim.owner != service { return false }
    if let isConverted, candidate.isConverted != isConverted { return false }
    return true
  }
}

/// Searching, from the newest verification or from the oldest.
extension AttemptFilter {
  /// How many verifications one request reads at most. Then a page ends, and its link leads on.
  static let searchLimit = 10_000
  private static let batch = 500

  /// The attempts next to a boundary, oldest first.
  func search(
    from boundary: PageBoundary, limit: Int, in context: RequestContext
  ) throws -> PageSlice<AttemptOfVerification> {
    var slice = PageSlice<AttemptOfVerification>()
    var visible: [String: Bool] = [:]
    var (next, scanned) = (Position(boundary).verification, 0)
    let isForward = if case .after = boundary { true } else { false }
    while slice.records.count < limit {
      // Without a filter, the first batch fills the page.
      let size = min(scanned == 0 ? limit : Self.searchLimit - scanned, Self.batch)
      let verifications = try batch(isForward ? .after(next - 1) : .before(next + 1), size, in: context)
      for verification in verifications {
        let id = verification.claim.owner
        let isVisible =
          try visible[id] ?? (Service.find(id, for: context.caller, in: context.sandbox) != nil)
        visible[id] = isVisible
        guard isVisible else { continue }
        let attempts = verification.attempts.all
        for attempt in isForward ? attempts : attempts.reversed() where slice.records.count < limit {
          let position = Position(verification: verification.ordinal, attempt: attempt.number)
          let candidate = AttemptOfVerification(verification: verification, attempt: attempt)
          guard position.isBeyond(boundary), matches(candidate) else { continue }
          slice.records.append((position.number, candidate))
        }
      }
      scanned += verifications.count
      guard let last = verifications.last?.ordinal, verifications.count == size else { break }
      next = isForward ? last + 1 : last - 1
      if scanned >= Self.searchLimit, slice.records.count < limit {
        slice.end = Position(verification: last, attempt: isForward ? Position.attempts : 0).number
        break
      }
    }
    if !isForward { slice.records.reverse() }
    return slice
  }

  /// The next verifications that may have matching attempts, in the order of the search.
  private func batch(
    _ boundary: PageBoundary, _ limit: Int, in context: RequestContext
  ) throws -> [Verification] {
    let all = context.sandbox.verifications
    let provider = TwilioProvider.name
    if let verification {
      guard let ordinal = VerificationSid.ordinal(of: verification, in: context.sandbox),
        let found = try all.find(ordinal), found.claim.provider == provider
      else { return [] }
      return [found]
    }
    return switch (boundary, destination) {
    case (.before(let end), nil): try all.list(provider, before: end, limit: limit)
    case (.before(let end), let to?): try all.list(provider, of: to, before: end, limit: limit)
    case (.after(let start), nil): try all.all(of: provider, after: start, limit: limit)
    case (.after(let start), let to?): try all.all(of: provider, to: to, after: start, limit: limit)
    }
  }
}

/// The place of an attempt in lists: the ordinal of its verification, then its number.
private struct Position {
  /// The largest number of an attempt in a position. Attempts beyond are left out of lists.
  static let attempts = 1 << 20 - 1

  let verification: Int
  let attempt: Int

  init(verification: Int, attempt: Int) {
    self.verification = verification
    self.attempt = attempt
  }

  init(_ number: Int) {
    self.init(verification: number >> 20, attempt: number & Self.attempts)
  }

  init(_ boundary: PageBoundary) {
    switch boundary {
    case .after(let number), .before(let number): self.init(number)
    }
  }

  var number: Int { verification << 20 | attempt }

  func isBeyond(_ boundary: PageBoundary) -> Bool {
    guard attempt <= Self.attempts else { return false }
    return switch boundary {
    case .after(let border): number > border
    case .before(let border): number < border
    }
  }
}
