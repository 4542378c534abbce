import ProviderKit

/// How a webhook is sent: what the fragment of its URL asks for, such as `#rc=3&rp=all`.
/// Source: contract 14.5; https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
struct ConnectionOverrides: Equatable {
  /// Milliseconds.
  private(set) var (connectTimeout, readTimeout, totalTime) = (5000, 15_000, 15_000)
  private(set) var retries: Int
  private(set) var policies: [Policy] = [.connection]

  enum Policy: String, CaseIterable {
    case connection = "ct"
    case read = "rt"
    case clientErrors = "4xx"
    case serverErrors = "5xx"
    case all
  }

  static let defaults = ConnectionOverrides(retries: 1)

  private init(retries: Int) { self.retries = retries }

  /// Throws `UnsendableWebhook` for a value that is not documented. Other names than the documented ones are
  /// no overrides. `retries`: without an override of their number.
  init(of url: String, retries usual: Int = 1) throws {
    self.init(retries: usual)
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "#")) else { return }
    let fragment = url[mark...].dropFirst()
    guard let form = try? Form(parsing: Array(fragment.utf8)) else {
      throw UnsendableWebhook(why: "#\(fragment): expected pairs such as rc=3&rp=all")
    }
    connectTimeout = try form.number("ct", in: 100...10_000) ?? connectTimeout
    readTimeout = try form.number("rt", in: 100...15_000) ?? readTimeout
    totalTime = try form.number("tt", in: 100...15_000) ?? totalTime
    retries = try form.number("rc", in: 0...5) ?? retries
    policies = try form.words("rp", Policy.allCases.map(\.rawValue))?.compactMap(Policy.init) ?? policies
    // The sandbox sends from one place, and always names the server.
    _ = try form.words("e", Self.edges)
    _ = try form.words("sni", ["y", "n"], atMost: 1)
  }

  /// Source: https://www.twilio.com/docs/global-infrastructure/edge-locations
  private static let edges = [
    "ashburn", "dublin", "frankfurt", "london", "roaming", "sao-paulo", "singapore", "sydney", "tokyo",
    "umatilla", "ashburn-ix", "frankfurt-ix", "london-ix", "san-jose-ix", "singapore-ix", "sydney-ix",
    "tokyo-ix",
  ]

  /// Attempts follow each other at once.
  var schedule: RetrySchedule {
    var schedule = RetrySchedule(pauses: Array(repeating: .zero, count: retries))
    schedule.limit = .milliseconds(totalTime)
    schedule.timeouts.total = .milliseconds(totalTime)
    schedule.timeouts.connecting = .milliseconds(connectTimeout)
    schedule.timeouts.silence = .milliseconds(readTimeout)
    schedule.retriedFailures = Set(policies.flatMap(\.failures))
    return schedule
  }
}

extension ConnectionOverrides.Policy {
  fileprivate var failures: [RetrySchedule.Failure] {
    switch self {
    case .connection: [.unreachable]
    case .read: [.unanswered]
    case .clientErrors: [.clientError]
    case .serverErrors: [.serverError]
    case .all: [.unreachable, .unanswered, .clientError, .serverError]
    }
  }
}

extension Form {
  fileprivate func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = text(name) else { return nil }
    guard text.utf8.allSatisfy(\.isDigit), let number = Int(text), range.contains(number) else {
      throw UnsendableWebhook(
        why: "#\(name): expected \(range.lowerBound) to \(range.upperBound); found \"\(text)\"")
    }
    return number
  }

  /// A list with commas.
  fileprivate func words(_ name: String, _ known: [String], atMost limit: Int = 20) throws -> [String]? {
    guard let text = text(name) else { return nil }
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard words.count <= limit, words.allSatisfy(known.contains) else {
      throw UnsendableWebhook(
        why: "#\(name): expected \(limit == 1 ? "one" : "some") of \(known.joined(separator: ", ")); "
          + "found \"\(text)\"")
    }
    return words
  }
}
