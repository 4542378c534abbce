import Control
import Markup

protocol Page {
  var title: String { get }
  /// The event stream that updates the page; nil for the stream of the sandbox.
  var stream: Stream? { get }
  /// The class of the document, for a page that hides the frame; nil for the others.
  var shape: String? { get }
  /// Elements of the document's head for files that only this page has.
  var files: HTML { get }
  @HTMLBuilder func content(_ layout: Layout) -> HTML
  /// The content for the gaps of the page, in their order.
  func gaps(_ layout: Layout) -> [GapFilling]
}

extension Page {
  var stream: Stream? { nil }

  var shape: String? { nil }

  var files: HTML { HTML() }

  func gaps(_ layout: Layout) -> [GapFilling] { [] }
}

/// An event stream of the control API, and the last event that a page shows.
struct Stream {
  let url: String
  let position: String
  /// The script fetches the page again at most once in this many milliseconds.
  var pause = 200
}

/// The frame of every page: rail, bar, and a banner while something is broken on purpose.
struct Layout {
  /// `/s/<sandbox>` where the request has it, else empty.
  let prefix: String
  private let path: String
  private let theme: Theme?
  /// For what the page's address chooses.
  private let cookies: Headers
  private let host: String?
  private let sandbox: Sandbox
  /// The faults and scenarios, also those that are used up: reasons lead to them.
  let rules: [RunningRule]
  /// Those that can still act.
  let running: [RunningRule]
  /// Nil outside of workshops.
  private let taskPanel: TaskPanel?
  /// The participant's own sandbox, if this is another one.
  private let joined: JoinedSandbox?
  /// True if the rail has a way to the board and to other sandboxes.
  private let isAdmin: Bool
  /// True for an admin, and for all on a server without tokens.
  private let seesAllSandboxes: Bool
  /// The number of phones with something on them.
  private let activePhones: Int
  /// True if more messages were sent than were looked at for it.
  private let hasMorePhones: Bool

  /// Without `commandValues`, the tasks have no commands, as on error pages.
  init(
    _ request: Request, _ sandbox: Sandbox, isAdmin: Bool = false,
    seesAllSandboxes: Bool = false, commandValues: CommandValues? = nil, joined: JoinedSandbox? = nil
  ) throws {
    self.joined = joined?.name == sandbox.name ? nil : joined
    prefix = request.prefix
    path = request.target.path
    theme = Theme(request)
    var cookies = try ShellChoice(request).cookie
    cookies.append(try KeptChoice<PhonesView>(request, PhonesView.field).cookie)
    self.cookies = cookies
    host = request.headers["Host"]
    self.sandbox = sandbox
    rules = try RunningRule.all(in: sandbox)
    running = rules.filter { !$0.isUsedUp }
    taskPanel = try TaskPanel(sandbox, for: request, commandValues)
    self.isAdmin = isAdmin
    self.seesAllSandboxes = seesAllSandboxes
    activePhones = try sandbox.messages.activePhoneCount(amongNewest: PhonesPage.searchedMessages)
    hasMorePhones = try sandbox.messages.areMore(than: PhonesPage.searchedMessages)
  }

  /// The name of the sandbox; in a workshop, workshop and participant.
  private var owner: String { taskPanel?.place ?? sandbox.name }

  var now: Timestamp { sandbox.clock.now }

  var isClockFrozen: Bool { if case .frozen = sandbox.clock.mode { true } else { false } }

  /// The address of a page or an operation of this sandbox.
  func url(_ path: String) -> String { prefix + path }

  func reply(_ page: some Page) -> Reply {
    var response = response(200, page)
    let gaps = page.gaps(self)
    guard !gaps.isEmpty else { return .now(response) }
    let pieces = BodyPieces(response.body, filling: gaps)
    response.body = []
    return .streamed(response, pieces)
  }

  /// For a page without gaps.
  func response(_ status: Status, _ page: some Page) -> Response {
    let stream =
      page.stream
      ?? Stream(url: url("/control/events/stream"), position: StreamPosition(endOf: sandbox).text)
    var response = Self.document(
      status, title: isAboutWorkshops ? page.title : "\(page.title) · \(owner)", prefix: prefix,
      theme: theme, files: page.files,
      live: [
        .init("class", ifPresent: page.shape), .init("data-prefix", prefix), .init("data-stream", stream.url),
        .init("data-position", stream.position), .init("data-pause", String(stream.pause)),
      ]
    ) {
      a(.class("skip"), .href("#main")) { "Skip to the content" }
      div(.class("app")) {
        rail
        div {
          bar
          p(.id("clock-note"), .init("role", "status"))
          p(.id("gone"), .class("gone"), .init("role", "alert"), .init(flag: "hidden")) {
            "The server does not answer. This page waits for it."
          }
          banner
          if let joined { joined.html }
          main(.id("main")) {
            if let taskPanel {
              div(.class("with-tasks")) {
                taskPanel.link
                taskPanel.note
                div(.class("page")) { page.content(self) }
                taskPanel.tasks(self)
              }
            } else {
              div(.class("page")) { page.content(self) }
            }
          }
        }
      }
      p(.id("announcements"), .class("visually-hidden"), .init("aria-live", "polite"))
      p(.id("toast"), .class("toast"), .init("role", "alert"), .init(flag: "hidden"))
      help
    }
    response.headers.append(cookies)
    return response
  }

  /// A document with our stylesheet. `live`: attributes for the script, which only pages of a sandbox have.
  static func document(
    _ status: Status, title text: String, prefix: String, theme: Theme?, files: HTML = HTML(),
    live: [Attribute] = [], @HTMLBuilder content: () -> HTML
  ) -> Response {
    let bytes = HTML.document(language: "en", .init("data-theme", ifPresent: theme?.rawValue)) {
      head {
        meta(.init("charset", "utf-8"))
        meta(.name("viewport"), .init("content", "width=device-width, initial-scale=1"))
        title { "\(text) · Ringfence" }
        link(.init("rel", "stylesheet"), .href("\(prefix)\(Asset.stylesheet.path)"))
        link(.init("rel", "icon"), .href("\(prefix)\(Asset.icon.path)"))
        if !live.isEmpty { script(.type("module"), .init("src", "\(prefix)\(Asset.script.path)")) }
        files
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

  // MARK: Rail and bar

  private var rail: HTML {
    header(.class("rail"), .id("rail")) {
      a(.class("brand"), .href(url("/"))) {
        Icon.logo
        span { "Ringfence" }
      }
      place
      nav(.class("pages"), .label("Pages")) {
        for page in pages { item(page) }
      }
      p(.class("rail-end")) {
        a(.href(url(DocsPage.path))) { "Documentation" }
        if let host { " \(host)" }
      }
    }
  }

  /// The sandbox, or the participant of a workshop, with a way to the other ones for those who may see them.
  @HTMLBuilder private var place: HTML {
    if isAboutWorkshops {
      HTML()
    } else if isAdmin, let taskPanel {
      span(.class("sandbox"), .title("Sandbox \(sandbox.name)")) { taskPanel.linkedPlace }
    } else if seesAllSandboxes, taskPanel == nil {
      a(.class("sandbox"), .href("/console/sandboxes"), .title("All sandboxes")) { owner }
    } else {
      span(.class("sandbox"), .title("Sandbox \(sandbox.name)")) { owner }
    }
  }

  struct RailPage {
    let name: String
    fileprivate let icon: Icon
    let path: String
    /// The number beside its name; 0 is not shown.
    fileprivate var count = 0
    /// True if there may be more.
    fileprivate var isLeast = false
    fileprivate var unit: String?
    /// The paths of the pages that it leads to, such as `/console/phones`.
    fileprivate var sections: [String] = []

    fileprivate func contains(_ path: String) -> Bool { sections.contains { path.hasPrefix("\($0)/") } }
  }

  /// Workshops belong to the server. Participants have other sandboxes.
  var pages: [RailPage] {
    [
      RailPage(
        name: "Phones", icon: .phones, path: "/", count: activePhones, isLeast: hasMorePhones,
        sections: ["/console/phones"]),
      RailPage(
        name: "Timeline", icon: .timeline, path: "/console/timeline",
        sections: ["/console/verifications", "/console/requests"]),
      RailPage(name: "Break", icon: .failures, path: Self.failures, count: running.count, unit: "on"),
      RailPage(name: "Connect", icon: .connect, path: "/console/connect"),
    ]
      + (sandbox.name == Sandboxes.defaultName
        ? [RailPage(name: "Workshops", icon: .workshops, path: Self.workshops, sections: [Self.workshops])]
        : [])
  }

  private func item(_ page: RailPage) -> HTML {
    let isShown = path == page.path
    return a(
      .href(url(page.path)),
      .init("aria-current", ifPresent: isShown ? "page" : page.contains(path) ? "true" : nil)
    ) {
      page.icon.html
      page.name
      if !isAboutWorkshops, page.count > 0 {
        span(.class(page.unit == nil ? "count" : "count warn")) {
          page.isLeast ? "\(page.count)+" : String(page.count)
          if let unit = page.unit { span(.class("word")) { " \(unit)" } }
        }
      }
    }
  }

  private var bar: HTML {
    div(.class("bar")) {
      SearchPage.field(self)
      button(
        .type("button"), .class("quiet theme"), .id("theme"), .label("Light or dark"), .init(flag: "hidden")
      ) { Icon.theme.html }
      clock
    }
  }

  private static let workshops = "/console/workshops"
  /// *Break*, which lists what is broken itself.
  private static let failures = "/console/break"

  /// Pages about workshops, and about all sandboxes, show the default sandbox's time, which is that of the
  /// boards, and nothing else of it: participants have other sandboxes.
  private var isAboutWorkshops: Bool {
    path == Self.workshops || path.hasPrefix("\(Self.workshops)/") || path == SandboxesPage.path
  }

  private var clock: HTML {
    ClockSection(sandbox, control: isAboutWorkshops ? nil : url("/control/clock")).html
  }

  private var banner: HTML {
    let isShown = !running.isEmpty && !isAboutWorkshops && path != Self.failures
    return section(
      .class("banner"), .id("banner"), .label("Broken on purpose"), .init(flag: "hidden", !isShown)
    ) {
      if isShown {
        p { "Broken on purpose: \(RunningRule.summary(running))." }
        ActionButton("Repair everything", delete: rulePaths).html
      }
    }
  }

  /// The operations that remove all rules.
  var rulePaths: [String] { (RuleKinds.all.map { $0.controlPath } + [ControlAPI.chaosPath]).map(url) }

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
    ("p", "pin the phone"), ("/ or Ctrl-K", "search and actions"),
    ("+", "ten minutes later"), ("?", "this list"),
  ]
}

extension Timestamp {
  /// `2026-01-05 10:20:30`
  var dateAndTime: String { "\(iso8601.prefix(10)) \(timeOfDay)" }

  /// `10:20`
  var hourAndMinute: String { String(timeOfDay.prefix(5)) }

  /// `10:20:30`
  var timeOfDay: String { String(iso8601.dropLast().suffix(8)) }
}
