import Basics

extension ActingRule<Fault> {
  /// For the journal: `broken on purpose by the trainer: fault 1 answers 500 (until the trainer fixes it)`
  package var why: String {
    "\(brokenOnPurpose)\(origin.byWhom): fault \(number) \(rule.actions) (\(origin.end(of: Fault.self)))"
  }
}

/// How reasons begin that are no mistake of the client.
package let brokenOnPurpose = "broken on purpose"
private let tooManyRequests = "too many requests"
/// The first words of the journal about a request that was passed on to another host.
package let forwarded = "forwarded to"

extension Journal.Exchange {
  /// True if the reason says so itself, as for a text that a scenario has lost.
  package var isOnPurpose: Bool { why?.hasPrefix(brokenOnPurpose) ?? false }

  /// The rule that decided the answer on purpose: `fault 1 answers 500`; nil if none did.
  package var injection: String? {
    guard let why, [brokenOnPurpose, tooManyRequests].contains(where: why.hasPrefix),
      let start = why.firstRange(of: ": ")?.upperBound
    else { return nil }
    let rule = why[start...]
    return String(rule[..<(rule.firstRange(of: " (")?.lowerBound ?? rule.endIndex)])
  }

  private var isForwarded: Bool { why?.hasPrefix(forwarded) ?? false }

  /// True for a status of an error, and for a connection without an answer.
  package var isRefused: Bool { status >= 400 || status == 0 && why != nil && !isForwarded }

  /// The same, also where only the reason tells: behind a redirect, or a status that all answers have.
  package var hasFailed: Bool { isRefused || why != nil && injection == nil && !isForwarded }
}

extension RuleOrigin {
  fileprivate var byWhom: String {
    switch self {
    case .control: ""
    case .trainer: " by the trainer"
    case .task: " by the task"
    case .chaos: " by chaos"
    }
  }

  /// Chaos has no numbers of rules.
  var ofWhom: String {
    switch self {
    case .control, .chaos: ""
    case .trainer: " of the trainer"
    case .task: " of the task"
    }
  }

  func end(of kind: any Rule.Type) -> String {
    switch self {
    case .control: "to end it: Break, or \(kind.controlPath)"
    case .trainer: "until the trainer fixes it"
    case .task: "it ends with the task"
    case .chaos: "to end it: DELETE /control/chaos"
    }
  }
}

extension Fault {
  /// `every provider answers 500 for +12025550100`
  package var effect: String {
    let subject = [provider ?? "every provider", route].compactMap(\.self).joined(separator: " ")
    let text = contains.map { " with \"\($0)\"" } ?? ""
    return "\(subject) \(actions)\(number.map { " for \($0)" } ?? "")\(text)\(occurrences.selection)"
  }

  /// `answers 500 and takes 3000 ms longer`
  fileprivate var actions: String {
    var actions: [String] = []
    if let status { actions.append("answers \(status)") }
    if let code { actions.append("fails with \(code)") }
    if let retryAfter { actions.append("asks to retry after \(retryAfter) s") }
    if let latency { actions.append("takes \(latency.milliseconds) ms longer") }
    switch damage {
    case .reset: actions.append("drops the connection")
    case .truncate: actions.append("sends half of the answer")
    case .garble: actions.append("sends an answer that is not JSON")
    case .html: actions.append("sends a proxy's page in HTML")
    case nil: break
    }
    return actions.joined(separator: " and ") + (when.map { " \($0.rawValue) the work" } ?? "")
  }
}

extension Latency {
  /// `acme createThing takes 180 ms, 1 of 100 answers more than 900 ms`
  package var effect: String {
    let subject = [provider ?? "every provider", route].compactMap(\.self).joined(separator: " ")
    let tail = percentile99.map { ", 1 of 100 answers more than \($0.milliseconds) ms" } ?? ""
    return "\(subject) takes \(median.milliseconds) ms\(tail)"
  }
}

extension RequestLimit {
  /// `acme answers 429 to more than 10 requests a second`
  package var effect: String {
    let subject = [provider ?? "every provider", route].compactMap(\.self).joined(separator: " ")
    return "\(subject) answers 429 to more than \(requestsPerSecond) requests a second"
  }
}

extension ActingRule<RequestLimit> {
  /// For the journal.
  package var why: String {
    "\(tooManyRequests)\(origin.byWhom): limit \(number): \(rule.effect) (/control/limits)"
  }
}

extension WebhookFault {
  /// `webhooks of acme about +12025550100: wrong signature`
  package var effect: String {
    let subject = [
      kind.map { "\($0) webhooks" } ?? "webhooks", provider.map { "of \($0)" }, number.map { "about \($0)" },
    ].compactMap(\.self).joined(separator: " ")
    return "\(subject)\(occurrences.selection): \(actions)"
  }

  /// `lost`, or `5000 ms late, wrong signature`
  fileprivate var actions: String {
    var actions: [String] = []
    switch delivery {
    case .lost: actions.append("lost")
    case .duplicate: actions.append("sent twice")
    case .reorder: actions.append("sent after the next one")
    case nil: break
    }
    if let delay { actions.append("\(delay.milliseconds) ms late") }
    if let signature { actions.append(signature == .wrong ? "wrong signature" : "no signature") }
    if let timestampAge { actions.append("a timestamp that is \(timestampAge.milliseconds) ms too old") }
    if let contentType { actions.append("the content type \(contentType)") }
    return actions.joined(separator: ", ")
  }
}

extension InjectedWebhookFault {
  /// For the list of webhooks: `broken on purpose by chaos: webhook fault 1: wrong signature (to end it: …)`
  package var text: String {
    guard let number else {
      let actions = fault.actions
      return "forged by hand: \(actions.isEmpty ? "valid signature" : actions)"
    }
    let end = origin.end(of: WebhookFault.self)
    return "broken on purpose\(origin.byWhom): webhook fault \(number): \(fault.actions) (\(end))"
  }
}

extension Scenario {
  /// `sms to +12025550100: lost`, `sms to numbers in FR, one of 3: lost`
  package var effect: String {
    let subject = [
      channel.map(\.rawValue) ?? "messages and calls", provider.map { "of \($0)" },
      sender.map { "from \($0)" },
      number.map { "to \($0)" } ?? network.description,
    ].compactMap(\.self).joined(separator: " ")
    let delay = after.map { " (\($0.milliseconds) ms)" } ?? ""
    return "\(subject)\(occurrences.selection): \(result)\(delay)"
  }

  /// `lost, acme shows 521`
  private var result: String {
    let statuses = providerStatus.all.map { "\($0.provider) shows \($0.status)" }
    return ([outcome.map { Self.words[$0] ?? $0 }].compactMap(\.self) + statuses).joined(separator: ", ")
  }

  private static let words = [
    "slow": "late", "undeliverable": "lost", "noReceipt": "no receipt",
    "lostButDelivrd": "lost, reported as delivered",
    "duplicate": "twice", "filtered": "taken for spam", "garbled": "garbled",
    "voicemail": "a machine answers",
    "noAnswer": "nobody answers", "absent": "held until the handset is back", "reject": "rejected",
    "memoryFull": "no room on the handset", "answerHangup": "the person hangs up",
    "networkDown": "the network is down", "oldCode": "an old code", "outOfOrder": "out of order",
    "segmentLost": "a part is lost", "truncated": "cut off", "wrongEncoding": "in a wrong encoding",
  ]
}

extension Occurrences {
  /// `, one of 3`, or `, 20.0 % of them`; empty if each match counts.
  fileprivate var selection: String {
    if let rate { return ", \((rate * 10_000).rounded() / 100) % of them" }
    return every.map { ", one of \($0)" } ?? ""
  }
}
