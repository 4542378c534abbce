import Domain
import HTTP
import Markup

/// One verification: its state, what is left of its limits, and what happened.
struct VerificationPage: Page {
  private let verification: Verification
  private let events: [Event]
  private let webhooks: [String]
  private let now: Timestamp

  var title: String { "Verification of \(verification.claim.destination)" }

  private static let eventLimit = 200

  init(_ request: Request, _ sandbox: Sandbox) throws {
    let id = request[parameter: "id"]
    guard let found = try Int(id).flatMap(sandbox.verifications.find) else {
      throw try NotFound("verification \(id)", request, sandbox)
    }
    verification = found
    now = sandbox.clock.now
    events = try sandbox.events.after(found.ordinal - 1, limit: Self.eventLimit)
      .filter { $0.destination == found.claim.destination }
    webhooks = try sandbox.webhooks.ids(about: found.ordinal, by: found.claim.provider)
  }

  func content(_ layout: Layout) -> HTML {
    h1 { title }
    StateDiagram(current: verification.state(at: now)).html
    if verification.isPending(at: now) { buttons(layout) }
    dl(.class("facts"), .id("facts")) { for (name, value) in facts { Fact(name, value).html } }
    h2 { "Attempts" }
    ol {
      for attempt in verification.attempts.all {
        li {
          "\(attempt.sentAt.timeOfDay) \(attempt.channel.rawValue)\(attempt.isAnswered ? ", answered" : "")"
        }
      }
    }
    h2 { "Events" }
    ol(.id("events")) { for event in events { li { "\(event.at.timeOfDay) \(event.kind.rawValue)" } } }
    if !webhooks.isEmpty { p { "Webhooks: \(webhooks.joined(separator: ", "))" } }
  }

  private func buttons(_ layout: Layout) -> HTML {
    let destination = PercentCoding.encode(verification.claim.destination)
    return p(.class("actions")) {
      ActionButton("Cancel", post: layout.url("/control/verifications/\(destination)/cancel")).html
      ActionButton(
        "Expire now", post: layout.url("/control/clock"),
        #"{"set":"\#(verification.expiresAt.iso8601Milliseconds)"}"#
      ).html
    }
  }

  private var facts: [(String, String)] {
    [
      ("Provider", verification.claim.provider), ("Account", verification.claim.owner),
      ("Channel", verification.channel.rawValue),
      ("Code", verification.code.isEmpty ? "none" : verification.code),
      ("Checks", String(verification.checks)), ("Started", verification.createdAt.dateAndTime),
      ("Expires", "\(verification.expiresAt.dateAndTime)\(timeLeft)"),
    ]
  }

  private var timeLeft: String {
    let seconds = (verification.expiresAt - now).wholeSeconds
    return verification.isPending(at: now) ? ", \(seconds / 60) min \(seconds % 60) s left" : ""
  }
}

extension Verification {
  /// Its state, also after the end of its time, which nothing needs to record.
  func state(at time: Timestamp) -> State { state == .pending && !isPending(at: time) ? .expired : state }
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
