import Control
import Domain
import HTTP
import Markup

/// One page: its title and its content.
protocol Page {
  var title: String { get }
  /// The event stream that updates the page; nil for the stream of the sandbox.
  var stream: Stream? { get }
  @HTMLBuilder func content(_ layout: Layout) -> HTML
}

extension Page {
  var stream: Stream? { nil }
}

/// An event stream of the control API, and the last event that a page shows.
struct Stream {
  let url: String
  let position: String
  /// The script fetches the page again at most once in this many milliseconds.
  var pause = 200
}

/// The frame of every page: head, navigation, clock, and a banner while something is broken on purpose.
struct Layout {
  /// `/s/<sandbox>` where the request has it, else empty.
  let prefix: String
  private let path: String
  private let sandbox: Sandbox
  /// The faults and scenarios that are active.
  let running: [RunningRule]
  /// Nil outside of workshops.
  private let taskPanel: TaskPanel?
  /// True if the head has a way back to the board.
  private let isAdmin: Bool

  init(_ request: Request, _ sandbox: Sandbox, isAdmin: Bool = false) throws {
    prefix = request.prefix
    path = request.target.path
    self.sandbox = sandbox
    running = try RunningRule.all(in: sandbox)
    taskPanel = try TaskPanel(sandbox)
    self.isAdmin = isAdmin
  }

  /// The name of the sandbox; in a workshop, workshop and participant.
  private var owner: String { taskPanel?.place ?? sandbox.name }

  /// The address of a page or an operation of this sandbox.
  func url(_ path: String) -> String { prefix + path }

  func response(_ status: Status, _ page: some Page) -> Response {
    let stream =
      page.stream
      ?? Stream(url: url("/control/events/stream"), position: StreamPosition(endOf: sandbox).text)
    return Self.document(
      status, title: isAboutWorkshops ? page.title : "\(page.title) · \(owner)", prefix: prefix,
      live: [
        .init("data-prefix", prefix), .init("data-stream", stream.url),
        .init("data-position", stream.position), .init("data-pause", String(stream.pause)),
      ]
    ) {
      a(.class("skip"), .href("#main")) { "Skip to the content" }
      header(.class("top")) {
        a(.class("brand"), .href(url("/"))) { "Ringfence" }
        if !isAboutWorkshops {
          span(.class("sandbox"), .title("Sandbox \(sandbox.name)")) {
            if isAdmin, let taskPanel { taskPanel.linkedPlace } else { owner }
          }
        }
        navigation
        clock
        p(.id("clock-note"), .init("role", "status"))
      }
      banner
      if let taskPanel {
        main(.id("main"), .class("with-tasks")) {
          taskPanel.note
          div { page.content(self) }
          taskPanel.tasks(self)
        }
      } else {
        main(.id("main")) { page.content(self) }
      }
      p(.id("announcements"), .class("visually-hidden"), .init("aria-live", "polite"))
      help
    }
  }

  /// A document with our stylesheet. `live`: attributes for the script, which only pages of a sandbox have.
  static func document(
    _ status: Status, title text: String, prefix: String, live: [Attribute] = [],
    @HTMLBuilder content: () -> HTML
  ) -> Response {
    let bytes = HTML.document(language: "en") {
      head {
        meta(.init("charset", "utf-8"))
        meta(.name("viewport"), .init("content", "width=device-width, initial-scale=1"))
        title { "\(text) · Ringfence" }
        link(.init("rel", "stylesheet"), .href("\(prefix)/console/assets/console.css"))
        link(.init("rel", "icon"), .href("\(prefix)/console/assets/icon.svg"))
        if !live.isEmpty { script(.type("module"), .init("src", "\(prefix)/console/assets/console.js")) }
      }
      body(live, content: content)
    }
    return Response(status, headers: headers, body: bytes)
  }

  /// No inline script or style, nothing from elsewhere, no frames.
  private static let headers: Headers = [
    "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
    "Content-Security-Policy": """
    default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'
    """,
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
  ]

  private var navigation: HTML {
    nav(.label("Pages")) {
      for (name, target) in [
        ("Phones", "/"), ("Timeline", "/console/timeline"), ("Break it", "/console/break"),
        ("Connect", "/console/connect"),
      ] {
        a(.href(url(target)), .init("aria-current", ifPresent: path == target ? "page" : nil)) { name }
      }
      // Workshops belong to the server. Participants have other sandboxes.
      if sandbox.name == Sandboxes.defaultName {
        a(.href(Self.workshops), .init("aria-current", ifPresent: path == Self.workshops ? "page" : nil)) {
          "Workshops"
        }
      }
    }
  }

  private static let workshops = "/console/workshops"

  /// Pages about workshops show the default sandbox's time, which is that of the boards, and nothing else of
  /// it: participants have other sandboxes.
  private var isAboutWorkshops: Bool { path == Self.workshops || path.hasPrefix("\(Self.workshops)/") }

  private var clock: HTML {
    ClockSection(sandbox, control: isAboutWorkshops ? nil : url("/control/clock")).html
  }

  private var banner: HTML {
    let isShown = !running.isEmpty && !isAboutWorkshops
    return section(
      .class("banner"), .id("banner"), .label("Broken on purpose"), .init(flag: "hidden", !isShown)
    ) {
      if isShown {
        p { "Broken on purpose: \(RunningRule.summary(running))." }
        ActionButton("Fix all", delete: RuleKinds.all.map { url($0.controlPath) }).html
      }
    }
  }

  private var help: HTML {
    dialog(.id("help"), .label("Keys")) {
      h2 { "Keys" }
      dl {
        for (key, meaning) in Self.keys {
          dt { kbd { key } }
          dd { meaning }
        }
      }
      button(.type("button"), .init("data-close", "help")) { "Close" }
    }
  }

  private static let keys = [
    ("j k", "next, previous"), ("a", "approve"), ("d", "deny"), ("c", "copy the code"),
    ("p", "pin the phone"), ("/", "filter"),
    ("+", "ten minutes later"), ("?", "this list"),
  ]
}

/// A button that sends a request of the control API.
struct ActionButton {
  private let text: String
  private let method: String
  private let urls: [String]
  private let json: String?
  private let key: String?
  /// A question that comes before the request.
  var question: String?
  /// The page that comes after it.
  var next: String?
  /// The element that shows `done` after a success, else the problem.
  var status: (id: String, done: String)?
  /// True for an action of a board, which is for the selected participants.
  var isForSelection = false
  var id: String?

  init(_ text: String, post url: String, _ json: String? = nil, key: String? = nil) {
    (self.text, method, urls, self.json, self.key) = (text, "POST", [url], json, key)
  }

  init(_ text: String, put url: String, _ json: String) {
    (self.text, method, urls, self.json, key) = (text, "PUT", [url], json, nil)
  }

  init(_ text: String, delete urls: [String]) {
    (self.text, method, self.urls, json, key) = (text, "DELETE", urls, nil, nil)
  }

  var html: HTML {
    button(
      .type("button"), .init("id", ifPresent: id), .init("data-method", method),
      .init("data-urls", urls.joined(separator: " ")), .init("data-json", ifPresent: json),
      .init("data-key", ifPresent: key),
      .init("data-question", ifPresent: question), .init("data-next", ifPresent: next),
      .init("data-status", ifPresent: status?.id), .init("data-done", ifPresent: status?.done),
      .init("data-selection", ifPresent: isForSelection ? "participants" : nil)
    ) { text }
  }
}

extension Timestamp {
  /// `2026-01-05 10:20:30`
  var dateAndTime: String { "\(iso8601.prefix(10)) \(timeOfDay)" }

  /// `10:20:30`
  var timeOfDay: String { String(iso8601.dropLast().suffix(8)) }
}
