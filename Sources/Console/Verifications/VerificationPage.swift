import Markup
import ProviderKit

/// One verification: its state, what is left of its limits, and what happened as a sequence diagram.
struct VerificationPage: Page {
  private let subject: Subject
  /// At the chosen moment.
  private let history: History
  private let phone: LockScreen?
  private let scrubber: Scrubber
  private let rules: VerificationRules?
  private let diagram: Diagram
  private let selected: Diagram.Step?
  private let shown: StepPanel.Part
  private let panel: StepPanel?
  private let hasFailed: Bool

  var title: String { subject.title }

  init(_ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type]) throws {
    let id = request[parameter: "id"]
    guard let subject = try Int(id).flatMap({ try Subject($0, in: sandbox, providers: providers) }) else {
      throw try NotFound("verification \(id)", request, sandbox)
    }
    self.subject = subject
    let all = try History(subject, in: sandbox, providers: providers)
    let provider = providers.first { $0.name == subject.provider }
    rules = try subject.verification.flatMap { try provider?.rules(of: $0, in: sandbox) }
    hasFailed = all.state.isFailure || all.exchanges.contains(where: \.hasFailed)
    diagram = Diagram(of: all, title: ProviderMark.title(of:))
    shown = try request.query["show"].flatMap(StepPanel.Part.init) ?? .answer
    scrubber = try Scrubber(diagram, request.query, id: subject.ordinal)
    history = scrubber.moment.map(all.asOf) ?? all
    phone = try LockScreen(of: history, in: sandbox)
    let chosen = try diagram.step(chosenBy: request.query["step"], by: scrubber.moment)
    selected = chosen?.step
    let shown = shown
    panel = try chosen.flatMap {
      try StepPanel($0.step, number: $0.number, shown, of: all, request, sandbox, providers: providers)
    }
  }

  func content(_ layout: Layout) -> HTML {
    head(layout)
    VerificationFacts(history, rules).html
    div(.class("story-grid")) { div { parts(layout) } }
  }

  @HTMLBuilder private func parts(_ layout: Layout) -> HTML {
    section(.class("panel sequence-panel"), .label("What happened")) {
      if diagram.rows.isEmpty {
        p(.class("empty")) { "Its requests are no longer in the journal." }
      } else {
        div(.class("sequence-scroll")) {
          DiagramDrawing(
            diagram: diagram, selection: selected?.target, moment: scrubber.moment, url: address
          ).html
        }
        scrubber.html
        DiagramList(diagram: diagram, url: address).html
      }
    }
    div(.class(scrubber.moment == nil ? "beside" : "beside past"), .id("beside")) {
      if let panel { panel.html(layout) }
      if let phone { phone.html(layout) }
    }
  }

  private func address(ofStep number: Int) -> String? {
    shown.address(ofStep: number) + (scrubber.moment.map { "&at=\($0.milliseconds)" } ?? "")
  }

  private func head(_ layout: Layout) -> HTML {
    let state = history.state
    return div(.class("page-head verification-head")) {
      if state == .pending {
        TimeRing(
          from: subject.createdAt, to: subject.expiresAt, now: history.now, isLive: history.isLive
        ).html
      }
      div(.class("title")) {
        h1 {
          span { subject.shownDestination }
          " "
          span(.class(state.pill), .id("state")) {
            scrubber.moment == nil ? subject.word(at: history.now) : state.rawValue
          }
        }
        p(.class("soft")) {
          ProviderMark(subject.provider).html
          " · \(subject.way.capitalizedFirst) · started \(subject.createdAt.timeOfDay)"
          if let id = history.ids.first {
            " · "
            code(.title(id)) { id.shortened(to: 24) }
            CopyButton(id, "id").html
          }
        }
      }
      div(.class("actions")) {
        if let moment = scrubber.moment {
          span(.class("pill warn")) { "as of \(moment.timeOfDay)" }
          a(.class("button"), .href("?")) { "Now" }
        } else if state == .pending {
          VerificationActions(history).html(layout)
        }
        a(.class("button"), .href(layout.url("/console/follow"))) { "Follow" }
        ShareButton(subject.ordinal, isFailure: hasFailed).html(layout)
      }
    }
  }
}

/// A link to the file about a verification.
struct ShareButton {
  private let ordinal: Int
  private let isFailure: Bool

  init(_ ordinal: Int, isFailure: Bool) { (self.ordinal, self.isFailure) = (ordinal, isFailure) }

  func html(_ layout: Layout) -> HTML {
    a(
      .class("button"), .href(layout.url("/control/verifications/\(ordinal)/share")),
      .init("download", "verification-\(ordinal).html")
    ) { isFailure ? "Share this failure" : "Share" }
  }
}

/// The buttons of a verification that is pending.
struct VerificationActions {
  private let history: History

  init(_ history: History) { self.history = history }

  func html(_ layout: Layout) -> HTML {
    let subject = history.subject
    return HTML {
      if let challenge = history.challenges.last(where: { $0.state(at: history.now) == .pending }) {
        ChallengeButtons(challenge, layout, now: history.now).html
      }
      ActionButton(
        "Expire now", post: layout.url("/control/clock"),
        #"{"set":"\#(subject.expiresAt.iso8601Milliseconds)"}"#
      ).html
      if let verification = subject.verification {
        let path = "/control/verifications/\(verification.ordinal)"
        ActionButton("Use up the checks", post: layout.url("\(path)/lock")).html
        ActionButton("Cancel", post: layout.url("\(path)/cancel")).html
      }
    }
  }
}

extension Diagram {
  /// The step with a number; without one, the last up to the moment; now, the last that failed, else the
  /// last with something to show.
  fileprivate func step(chosenBy number: String?, by moment: Timestamp?) -> (step: Step, number: Int)? {
    if let number = number.flatMap({ Int($0) }), let chosen = step(number) { return (chosen, number) }
    let shown = zip(steps, 1...).filter { $0.0.target != nil }
    if let moment { return shown.last { $0.0.at <= moment }.map { (step: $0.0, number: $0.1) } }
    return (shown.last { $0.0.tone == .failed } ?? shown.last).map { (step: $0.0, number: $0.1) }
  }
}
