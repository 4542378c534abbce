import Markup
import ProviderKit

/// The newest verification of a sandbox, or of one number, for a projector. When the next begins, it moves
/// on.
struct FollowPage: Page {
  private struct Scene {
    let history: History
    let diagram: Diagram
    let scrubber: Scrubber
    let phone: LockScreen?
  }

  let title = "Follow"
  let shape: String? = "stage"
  /// Nil: all of them.
  private let number: String?
  private let numbers: [String]
  private let place: String
  private let scene: Scene?

  /// More would make the letters small.
  private static let rowLimit = 10
  /// Of the numbers to choose from.
  private static let numberLimit = 50

  init(_ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type]) throws {
    number = try request.query["number"].flatMap { $0.isEmpty ? nil : $0 }
    place = try sandbox.workshopPlace?.participant.name ?? sandbox.name
    let newest = try sandbox.verifications.newest(Self.numberLimit).map(\.claim.destination)
    numbers = Set(newest + [number].compactMap(\.self)).sorted()
    scene = try Subject.newest(of: sandbox, about: number, providers).map { [number] subject in
      let all = try History(subject, in: sandbox, providers: providers)
      let diagram = Diagram(of: all, title: ProviderMark.title(of:))
      let kept = number.map { [(name: "number", value: $0)] } ?? []
      let scrubber = try Scrubber(
        diagram, request.query, id: subject.ordinal, kept: kept, followsNext: true)
      let history = scrubber.moment.map(all.asOf) ?? all
      return Scene(
        history: history, diagram: diagram, scrubber: scrubber,
        phone: try LockScreen(of: history, in: sandbox))
    }
  }

  func content(_ layout: Layout) -> HTML {
    div(.class("stage-grid")) {
      head(layout)
      parts(layout)
    }
  }

  @HTMLBuilder private func parts(_ layout: Layout) -> HTML {
    if let scene {
      section(.class("panel board-of-lanes"), .label("What happens")) {
        DiagramDrawing(
          diagram: scene.diagram, selection: nil, name: "follow-\(scene.history.subject.ordinal)",
          isOfPage: false, moment: scene.scrubber.moment, rowLimit: Self.rowLimit,
          isWide: true
        ) { _ in nil }.html
        DiagramList(diagram: scene.diagram) { _ in nil }.html
      }
      if let phone = scene.phone { phone.html(layout) }
      div(.class("panel foot")) {
        scene.scrubber.html
        a(.class("button"), .href(layout.url(scene.history.subject.path))) { "Details" }
        ShareButton(scene.history.subject.ordinal, isFailure: true).html(layout)
      }
    } else {
      section(.class("panel nothing")) {
        p(.class("waiting")) {
          "Waiting for the first verification\(number.map { " of \($0)" } ?? "")…"
        }
      }
    }
  }

  private func head(_ layout: Layout) -> HTML {
    div(.class("follow-head")) {
      if let history = scene?.history {
        let subject = history.subject
        h1 { subject.shownDestination }
        span(.class(history.state.pill), .id("state")) { history.state.rawValue }
        span(.class("soft")) {
          "\(ProviderMark.title(of: subject.provider)) · \(subject.way.capitalizedFirst)"
        }
      } else {
        h1 { "Follow" }
      }
      form(.class("filter chooser")) {
        label(.init("for", "number")) { "Follows the newest verification of \(place)," }
        " "
        select(.name("number"), .id("number")) {
          option(.value("")) { "all numbers" }
          for each in numbers {
            option(.value(each), .init(flag: "selected", each == number)) {
              PhoneNumber(each)?.internationalFormat ?? each
            }
          }
        }
        button(.type("submit"), .class("show")) { "Show" }
      }
      a(.class("button"), .id("back"), .href(layout.url("/"))) { "Back" }
    }
  }
}
