import Markup
import ProviderKit

/// One verification: its state, what is left of its limits, and what happened as a sequence diagram.
struct VerificationPage: Page {
  private let subject: Subject
  private let history: History
  private let rules: VerificationRules?
  private let diagram: Diagram
  private let selected: Diagram.Step?
  private let shown: StepPanel.Part
  private let panel: StepPanel?
  private let now: Timestamp

  var title: String { subject.title }

  init(_ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type]) throws {
    let id = request[parameter: "id"]
    guard let subject = try Int(id).flatMap({ try Subject($0, in: sandbox, providers: providers) }) else {
      throw try NotFound("verification \(id)", request, sandbox)
    }
    self.subject = subject
    now = sandbox.clock.now
    history = try History(subject, in: sandbox, providers: providers)
    let provider = providers.first { $0.name == subject.provider }
    rules = try subject.verification.flatMap { try provider?.rules(of: $0, in: sandbox) }
    diagram = Diagram(of: history, title: ProviderMark.title(of:))
    let chosen = try diagram.step(chosenBy: request.query["step"])
    selected = chosen?.step
    shown = try request.query["show"].flatMap(StepPanel.Part.init) ?? .answer
    let (history, shown) = (history, shown)
    panel = try chosen.flatMap {
      try StepPanel($0.step, number: $0.number, shown, of: history, request, sandbox, providers: providers)
    }
  }

  func content(_ layout: Layout) -> HTML {
    head(layout)
    VerificationFacts(history, rules).html
    div(.class("story-grid")) {
      section(.class("panel sequence-panel"), .label("What happened")) {
        if diagram.rows.isEmpty {
          p(.class("empty")) { "Its requests are no longer in the journal." }
        } else {
          div(.class("sequence-scroll")) {
            DiagramDrawing(diagram: diagram, selection: selected?.target) { shown.address(ofStep: $0) }.html
          }
          DiagramList(diagram: diagram) { shown.address(ofStep: $0) }.html
        }
      }
      if let panel { panel.html(layout) }
    }
  }

  private func head(_ layout: Layout) -> HTML {
    let state = subject.state(at: now)
    return div(.class("page-head verification-head")) {
      if state == .pending { TimeRing(from: subject.createdAt, to: subject.expiresAt, now: now).html }
      div(.class("title")) {
        h1 {
          span { subject.shownDestination }
          " "
          span(.class(state.pill), .id("state")) { subject.word(at: now) }
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
      if state == .pending { VerificationActions(history).html(layout) }
    }
  }
}

/// The buttons of a verification that is pending.
struct VerificationActions {
  private let history: History

  init(_ history: History) { self.history = history }

  func html(_ layout: Layout) -> HTML {
    let subject = history.subject
    return div(.class("actions")) {
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
  /// The step with a number; without one, the last that failed, else the last with something to show.
  fileprivate func step(chosenBy number: String?) -> (step: Step, number: Int)? {
    if let number = number.flatMap({ Int($0) }), let chosen = step(number) { return (chosen, number) }
    let shown = zip(steps, 1...).filter { $0.0.target != nil }
    return (shown.last { $0.0.tone == .failed } ?? shown.last).map { (step: $0.0, number: $0.1) }
  }
}
