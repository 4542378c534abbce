import Markup
import ProviderKit

/// The strip of facts above the diagram.
struct VerificationFacts {
  private let history: History
  private let rules: VerificationRules?

  init(_ history: History, _ rules: VerificationRules?) { (self.history, self.rules) = (history, rules) }

  private var now: Timestamp { history.now }

  var html: HTML {
    dl(.class("track"), .id("facts")) {
      if let verification = history.subject.verification {
        fact("Code") {
          if let digits = history.code(of: verification) {
            code { digits }
            CopyButton(digits, "code").html
          } else {
            "none"
          }
        }
        fact("Checks") { checks(of: verification) }
        fact("Sent") { sends(of: verification) }
      }
      if let message = history.messages.last { receipt(of: message) }
      if !history.webhooks.isEmpty { fact("Webhooks") { webhooks } }
      if let answer = history.lastAnswer { fact("Last answer") { answer } }
      if history.subject.expiresAt > history.subject.createdAt {
        fact("Expires") {
          history.subject.expiresAt.timeOfDay
          if history.state == .pending {
            ", in "
            Countdown(to: history.subject.expiresAt, now: now, isLive: history.isLive).html
          }
        }
      }
    }
  }

  private func fact(_ name: String, tone: String = "", @HTMLBuilder _ value: () -> HTML) -> HTML {
    div {
      dt { name }
      dd(.class(tone)) { value() }
    }
  }

  private func checks(of verification: Verification) -> String {
    let checks = history.checks(of: verification)
    guard let limit = rules?.checkLimit, limit < .max else { return String(checks) }
    return "\(min(checks, limit)) of \(limit)"
  }

  /// While it is pending, with the limit, which counts the sends within a window.
  private func sends(of verification: Verification) -> String {
    let attempts = history.attempts(of: verification)
    let channels = attempts.reduce(into: [String]()) { names, attempt in
      if !names.contains(attempt.channel.title.capitalizedFirst) {
        names.append(attempt.channel.title.capitalizedFirst)
      }
    }
    let words = channels.isEmpty ? "" : ", \(channels.joined(separator: ", "))"
    guard let rules, rules.sendLimit < .max, rules.resendsWhilePending,
      history.state == .pending
    else {
      return "\(attempts.count)\(words)"
    }
    let recent = attempts.count { $0.sentAt + rules.sendWindow > now }
    return "\(recent) of \(rules.sendLimit)\(words)"
  }

  private func receipt(of message: Message) -> HTML {
    let receipts = message.receipts(by: now)
    let state = receipts.last?.state ?? .accepted
    let tone = state.isFailure ? "bad" : state == .delivered || state == .read ? "ok" : ""
    return fact("Receipt", tone: tone) {
      state.word
      if let after = receipts.last?.after, after > .zero { " after \(after.inWords)" }
    }
  }

  private var webhooks: String {
    let tries = history.webhooks.reduce(0) { $0 + $1.attempts.count }
    let count = history.webhooks.count
    return tries == count ? "\(count) sent" : "\(count), \(tries) \(tries == 1 ? "try" : "tries")"
  }
}
