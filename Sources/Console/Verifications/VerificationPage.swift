import Domain
import HTTP
import Markup
import ProviderKit

/// One verification: its state, what is left of its limits, and what happened.
struct VerificationPage: Page {
  private let verification: Verification
  private let rules: VerificationRules?
  private let timeline: Timeline
  private let webhooks: [WebhookSummary]
  private let now: Timestamp

  var title: String { "Verification of \(verification.claim.destination)" }

  private static let lineLimit = 100

  init(_ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type]) throws {
    let id = request[parameter: "id"]
    guard let found = try Int(id).flatMap(sandbox.verifications.find) else {
      throw try NotFound("verification \(id)", request, sandbox)
    }
    verification = found
    now = sandbox.clock.now
    let provider = providers.first { $0.name == found.claim.provider } as? any SendsCodes.Type
    rules = try provider?.rules(of: found, in: sandbox)
    timeline = try Timeline(of: sandbox, .about(found), limit: Self.lineLimit)
    webhooks = try WebhookSummary.all(about: found, in: sandbox)
  }

  func content(_ layout: Layout) -> HTML {
    h1 { title }
    StateDiagram(current: verification.state(at: now)).html
    if verification.isPending(at: now) { buttons(layout) }
    dl(.class("facts"), .id("facts")) {
      for (name, value) in facts { Fact(name, value).html }
      dt { "Expires" }
      dd {
        verification.expiresAt.dateAndTime
        if verification.isPending(at: now) {
          ", "
          Countdown(to: verification.expiresAt, now: now).html
          " left"
        }
      }
    }
    div(.class("exchange")) {
      section {
        h2 { "Attempts" }
        ol(.class("plain"), .id("attempts")) {
          for attempt in verification.attempts.all { html(of: attempt) }
        }
      }
      section {
        h2 { "What happened" }
        TimelineList(timeline, layout).html
      }
      if !webhooks.isEmpty {
        section {
          h2 { "Webhooks" }
          for webhook in webhooks { webhook.html }
        }
      }
    }
  }

  private func html(of attempt: Attempt) -> HTML {
    li {
      "\(attempt.sentAt.timeOfDay) \(attempt.channel.rawValue)"
      if let code = attempt.code { " \(code)" }
      if attempt.isAnswered { ", answered" }
    }
  }

  private func buttons(_ layout: Layout) -> HTML {
    let path = "/control/verifications/\(verification.ordinal)"
    return p(.class("actions")) {
      ActionButton("Cancel", post: layout.url("\(path)/cancel")).html
      ActionButton(
        "Expire now", post: layout.url("/control/clock"),
        #"{"set":"\#(verification.expiresAt.iso8601Milliseconds)"}"#
      ).html
      ActionButton("Lock", post: layout.url("\(path)/lock")).html
    }
  }

  private var facts: [(String, String)] {
    [
      ("Provider", verification.claim.provider), ("Account", verification.claim.owner),
      ("Channel", verification.channel.rawValue),
      ("Code", verification.code.isEmpty ? "none" : verification.code),
      ("Checks", checks), ("Sends", sends), ("Started", verification.createdAt.dateAndTime),
    ]
  }

  private var checks: String {
    let used = "\(verification.checks) so far"
    guard let limit = rules?.checkLimit, limit < .max else { return used }
    return "\(used), \(max(0, limit - verification.checks)) left"
  }

  /// Sends count within a window.
  private var sends: String {
    let attempts = verification.attempts.all
    let used = "\(attempts.count) so far"
    guard let rules, rules.sendLimit < .max else { return used }
    guard rules.resendsWhilePending else { return "\(used); another one is a new verification" }
    let recent = attempts.count { $0.sentAt + rules.sendWindow > now }
    return "\(used), \(max(0, rules.sendLimit - recent)) left"
  }
}

extension Verification {
  /// Its state, also after the end of its time, which nothing needs to record.
  func state(at time: Timestamp) -> State { state == .pending && !isPending(at: time) ? .expired : state }
}

/// The time that is left. The script counts it down while the sandbox's clock runs.
struct Countdown {
  private let end: Timestamp
  private let now: Timestamp

  init(to end: Timestamp, now: Timestamp) { (self.end, self.now) = (end, now) }

  var html: HTML {
    let seconds = (end - now).wholeSeconds
    return span(.class("countdown"), .init("data-until", String(end.milliseconds))) {
      "\(seconds / 60) min \(seconds % 60) s"
    }
  }
}

/// A name with its value in a list of facts.
struct Fact {
  private let name: String
  private let value: String

  init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  var html: HTML {
    HTML {
      dt { name }
      dd { value }
    }
  }
}
