import Control
import Markup

/// All sandboxes of the server, and a form for a new one.
struct SandboxesPage: Page {
  static let path = "/console/sandboxes"

  let title = "Sandboxes"
  /// The first ones, in the order in which they are shown.
  private let shown: [String]
  private let sandboxes: Sandboxes

  private static let limit = 1_000

  init(_ sandboxes: Sandboxes) throws {
    let first = sandboxes.page(after: "", limit: Self.limit)
    // Those of workshops are many, and have a board.
    let inWorkshops = Set(try first.filter { try $0.isInWorkshop }.map(\.name))
    let names = first.map(\.name)
    shown =
      names.filter { !inWorkshops.contains($0) }
      + names.filter(inWorkshops.contains).map { ($0, $0.withNumber) }.sorted { $0.1 < $1.1 }.map(\.0)
    self.sandboxes = sandboxes
  }

  func gaps(_ layout: Layout) -> [GapFilling] {
    [filling(shown) { name in try sandboxes[name].map { try SandboxLine($0).html } ?? HTML() }]
  }

  func content(_ layout: Layout) -> HTML {
    h1 { "Sandboxes" }
    p(.class("help")) {
      "Each has phones, codes, credentials and a clock of its own. "
      "There are \(sandboxes.count), of at most \(sandboxes.maxCount)."
      if sandboxes.count > shown.count {
        " These are the first \(shown.count) by name; "
        a(.href("/control/sandboxes?after=\(PercentCoding.encode(shown.max() ?? ""))")) { "the others" }
        " are in the control API."
      }
    }
    p(.id("sandbox-status"), .class("toast"), .init("role", "status"), .init(flag: "data-kept"))
    div(.class("table cards-if-narrow"), .init("tabindex", "0"), .init("role", "region"), .label("Sandboxes"))
    {
      table(.class("list")) {
        tableHead("Sandbox", "State", "Last request", "Use of limits", "Removed", "Actions")
        tbody { HTML.gap }
      }
    }
    section(.class("panel new-sandbox"), .label("Open a shared file")) {
      h2 { "Open a shared file" }
      p(.class("help")) {
        "Drop a file from Share this failure here, or choose it: it becomes a new sandbox."
      }
      input(.type("file"), .id("shared-file"), .label("Shared file"), .init("accept", ".html"))
    }
    section(.class("panel new-sandbox"), .label("New sandbox")) {
      h2 { "New sandbox" }
      form(.init("data-send", "/control/sandboxes"), .init("data-next", Self.path)) {
        field("name", "Name", "Generated if it is empty.")
        field(
          "ttl", "Remove it after",
          "How long after its last request, such as 30m or 7d; never if it is empty.")
        field("limits/messages", "Messages at most", "No limit if it is empty.", isNumber: true)
        field(
          "limits/requestsPerSecond", "Requests per second at most", "No limit if it is empty.",
          isNumber: true)
        FormProblem(of: "form").html
        button(.type("submit"), .class("primary")) { "Create" }
      }
    }
  }

  private func field(_ name: String, _ title: String, _ help: String, isNumber: Bool = false) -> HTML {
    FormField(name: name, title: title, help: help, isNumber: isNumber).html
  }
}

/// A field with its explanation, and the place for what is wrong with it.
struct FormField {
  let name: String
  let title: String
  let help: String
  let isNumber: Bool

  /// Ids contain no slashes.
  private var id: String { name.replacing("/", with: "-") }

  var html: HTML {
    HTML {
      label(.init("for", "field-\(id)")) { title }
      input(
        .id("field-\(id)"), .name(name), .type(isNumber ? "number" : "text"),
        .init("data-type", ifPresent: isNumber ? "number" : nil),
        .init("min", ifPresent: isNumber ? "1" : nil),
        .init("autocomplete", "off"), .init("aria-describedby", "\(id)-help \(id)-problem"),
        .init(flag: "data-kept"))
      p(.id("\(id)-help"), .class("help")) { help }
      FormProblem(of: id).html
    }
  }
}

/// A sandbox's row.
private struct SandboxLine {
  let name: String
  private let isDefault: Bool
  private let state: String
  private let place: String?
  private let lastRequest: String?
  private let uses: [Sandbox.Use]
  private let removedAt: Timestamp?
  private let failureCount: Int

  init(_ sandbox: Sandbox) throws {
    name = sandbox.name
    isDefault = sandbox.name == Sandboxes.defaultName
    state = "\(sandbox.clock.now.dateAndTime), \(sandbox.clock.mode.word == "frozen" ? "frozen" : "running")"
    place = try sandbox.workshopPlace.map { "\($0.workshop.name) · \($0.participant.name)" }
    lastRequest = sandbox.journal.last?.at.dateAndTime
    uses = try sandbox.uses
    removedAt = sandbox.removalTime
    failureCount = try RunningRule.all(in: sandbox).count { !$0.isUsedUp }
  }

  private var url: String { isDefault ? "" : "/s/\(name)" }

  var html: HTML {
    tr(.id("sandbox-\(name)")) {
      th(.init("scope", "row")) {
        a(.href("\(url)/")) { name }
        if let place { span(.class("dim")) { " \(place)" } }
      }
      td(.init("data-label", "State")) {
        state
        if failureCount > 0 { " " }
        if failureCount > 0 { span(.class("pill warn")) { "\(failureCount) broken" } }
      }
      td(.init("data-label", "Last request")) { lastRequest ?? "none" }
      td(.init("data-label", "Use of limits")) {
        for use in uses { usage(use) }
        if uses.isEmpty { "no limits" }
      }
      td(.init("data-label", "Removed")) { removedAt?.dateAndTime ?? "never" }
      td {
        div(.class("row")) {
          a(.class("button"), .href("\(url)/console/settings")) { "Settings" }
          a(
            .class("button"), .href("/control/sandboxes/\(name)/export"), .init("download", "\(name).json")
          ) { "Export" }
          reset
          if !isDefault { deletion }
        }
      }
    }
  }

  private func usage(_ use: Sandbox.Use) -> HTML {
    let unit =
      switch use.limit {
      case .messages: "messages"
      case .requestsPerSecond: "requests per second"
      case .storedBytes: "bytes"
      }
    let isFull = use.used >= use.maximum
    return div(.class(isFull ? "why" : "")) {
      "\(use.used) of \(use.maximum) \(unit)\(isFull ? ": full" : "")"
    }
  }

  private var reset: HTML {
    var button = ActionButton("Reset", post: "/control/sandboxes/\(name)/reset")
    button.question = "Reset \(name) to its seeds? Its phones, codes and requests are gone."
    button.status = ("sandbox-status", "\(name) is reset.")
    return button.html
  }

  private var deletion: HTML {
    var button = ActionButton("Delete", delete: ["/control/sandboxes/\(name)"], style: .danger)
    button.question = "Delete \(name) with all its data?"
    button.status = ("sandbox-status", "\(name) is deleted.")
    return button.html
  }
}

extension String {
  /// Its end as a number, so that `tuesday-2` comes before `tuesday-10`.
  fileprivate var withNumber: (String, Int) {
    let digits = suffix(while: { $0.isASCII && $0.isNumber })
    return (String(dropLast(digits.count)), Int(digits) ?? 0)
  }

  private func suffix(while isPart: (Character) -> Bool) -> Substring {
    var start = endIndex
    while start > startIndex, isPart(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}
