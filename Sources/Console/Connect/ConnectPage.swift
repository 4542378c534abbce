import Control
import Markup
import ProviderKit
import QRCode

/// The page Connect: how to configure an app for this sandbox, with its URL and credentials.
///
/// What works without the program `ringfence` comes first.
struct ConnectPage: Page {
  let title = "Connect"
  private let address: SandboxAddress
  private let language: ProgramLanguage
  private let shell: Shell
  /// Of the chosen provider; else of that of the workshop's tasks, or of the first.
  private let setup: ProviderSetup?
  /// That of the page's address.
  private let asked: String?
  /// The names of all that can be chosen.
  private let providers: [String]
  private let newest: Journal.Exchange?
  /// The link in the QR code.
  private let phoneURL: String
  private let isOnServersMachine: Bool
  /// True if the reader can start the server with other options.
  private let runsServer: Bool

  init(
    _ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type], tokens: AccessTokens?
  ) throws {
    let address = SandboxAddress(of: sandbox, for: request, tokens)
    self.address = address
    language = try Self.language(request, sandbox)
    try ShellChoice.requireKnown(request, sandbox)
    shell = try ShellChoice(request).shell
    isOnServersMachine = Authority(request.peer)?.isLoopback ?? false
    runsServer = tokens?.isAdmin(request) ?? isOnServersMachine
    let place = try sandbox.workshopPlace
    let all = ProviderPrograms.all.filter { programs in
      providers.contains { $0.name == programs.provider }
    }
    self.providers = all.map(\.provider)
    let asked = try request.query["provider"]
    self.asked = asked
    let chosen = all.first { $0.provider == asked ?? place?.workshop.flavour }
    if let asked, chosen == nil { throw try NotFound("provider \(asked)", request, sandbox) }
    setup = try (chosen ?? all.first).flatMap { programs in
      try providers.first { $0.name == programs.provider }.map {
        try ProviderSetup(programs, of: $0, in: sandbox, at: address.url, ProviderReach(of: $0, in: sandbox))
      }
    }
    // A phone that opens the link of a card is signed in.
    phoneURL = place.map { "\(address.server)/join?phrase=\($0.participant.phrase)" } ?? "\(address.url)/"
    newest = sandbox.journal.last
  }

  private static func language(_ request: Request, _ sandbox: Sandbox) throws -> ProgramLanguage {
    guard let name = try request.query["language"] else { return .python }
    guard let language = ProgramLanguage(rawValue: name) else {
      throw try NotFound("program in \(name)", request, sandbox)
    }
    return language
  }

  func content(_ layout: Layout) -> HTML {
    h1 { "Connect" }
    div(.class("columns setup")) {
      div {
        thisSandbox(layout)
        if let setup {
          choices("Providers", providers, { ProviderMark.title(of: $0) }, setup.provider) {
            address(layout, provider: $0)
          }
          choices("Languages", ProgramLanguage.allCases, \.title, language) {
            address(layout, provider: asked, language: $0)
          }
          setup.html(in: language, shell)
          if let page = setup.page {
            p(.class("soft")) {
              a(.href(layout.url(page.path.description))) { page.title }
              " plays the app, if you have none."
            }
          }
        }
        withRingfence
      }
      aside {
        FirstRequest(newest).html(layout)
        phone
        certificates(layout)
      }
    }
  }

  private func thisSandbox(_ layout: Layout) -> HTML {
    section(.class("card"), .id("address")) {
      h2 { "This sandbox" }
      choices("Shells", Shell.allCases, \.title, shell) {
        address(layout, provider: asked) + "&shell=\($0.rawValue)"
      }
      p { "Your programs call this address instead of the provider's, with the credentials below." }
      CopyableCode(ShellExports(address.variables, for: shell).text).html
      p {
        "For tests: the newest code of a number."
        if address.token != nil { " Only the paths below /control need the token, not those of providers." }
      }
      ShellCommands(
        ["curl \(address.tokenOption)$RINGFENCE_URL/control/inbox/+12025550100/latest/code"], for: shell
      ).html
    }
  }

  private func choices<Choice: Equatable>(
    _ label: String, _ all: [Choice], _ title: (Choice) -> String, _ chosen: Choice,
    _ href: (Choice) -> String
  ) -> HTML {
    links(
      .label(label), .class("languages seg"), to: all, title: title, href: href, isCurrent: { $0 == chosen })
  }

  /// Of this page with another choice.
  private func address(_ layout: Layout, provider: String?, language: ProgramLanguage? = nil) -> String {
    layout.url("/console/connect?language=\((language ?? self.language).rawValue)")
      + (provider.map { "&provider=\($0)" } ?? "")
  }

  private var withRingfence: HTML {
    section(.class("card"), .id("with-ringfence")) {
      h2 { "On a machine with the program ringfence" }
      p { "Run your tests with a private sandbox, which ends with the command:" }
      CopyableCode("ringfence run -- your-test-command").html
      // Elsewhere, the program does not have the certificates of this server.
      p {
        "Or set all variables of this sandbox"
        if isOnServersMachine { ", the proxy, and the certificates to trust" }
        ":"
      }
      CopyableCode(address.environmentCommand(for: shell, withProxy: isOnServersMachine)).html
    }
  }

  private var phone: HTML {
    section(.class("card")) {
      h2 { "A phone" }
      if let code = QRCode(phoneURL) { QRCodeImage(code, label: "QR code: \(phoneURL)").html }
      p {
        "The QR code opens "
        a(.href(phoneURL)) { phoneURL }
      }
      if address.isLoopback {
        p(.class("why")) {
          "A phone cannot reach this address."
          if runsServer { " Start the server with --http 0.0.0.0:5550 and --public-url." }
        }
      }
    }
  }

  private func certificates(_ layout: Layout) -> HTML {
    section(.class("card")) {
      h2 { "Certificates" }
      p { "For HTTPS, clients must trust the authority of this server:" }
      ul {
        li { a(.href(layout.url("/control/phone/authority.mobileconfig"))) { "profile for iOS" } }
        li { a(.href(layout.url("/control/phone/authority.crt"))) { "certificate for Android" } }
      }
      if runsServer {
        p { "For programs on the server's machine; also java, debian and others:" }
        CopyableCode("ringfence ca --trust python").html
      }
    }
  }
}

/// Text with a button that copies it.
struct CopyableCode {
  private let text: String

  init(_ text: String) { self.text = text }

  var html: HTML {
    div(.class("copyable")) {
      pre(.init("tabindex", "0")) { code { text } }
      button(.type("button"), .init("data-copy", text)) { "Copy" }
    }
  }
}

/// A QR code as an image: black on white in both themes, because readers need that.
struct QRCodeImage {
  private let qrCode: QRCode
  private let label: String

  init(_ qrCode: QRCode, label: String) { (self.qrCode, self.label) = (qrCode, label) }

  var html: HTML {
    // The light border that readers need, in modules. Source: ISO/IEC 18004, 6.3.8.
    let border = 4
    let width = qrCode.size + 2 * border
    return svg(
      .class("qr"), .init("viewBox", "0 0 \(width) \(width)"), .init("role", "img"), .label(label),
      .init("shape-rendering", "crispEdges")
    ) {
      svgRectangle(.init("width", String(width)), .init("height", String(width)), .init("fill", "#fff"))
      svgPath(.init("d", path(border)))
    }
  }

  private func path(_ border: Int) -> String {
    var path = ""
    for row in 0..<qrCode.size {
      for column in 0..<qrCode.size where qrCode.isDark(row: row, column: column) {
        path += "M\(column + border) \(row + border)h1v1h-1z"
      }
    }
    return path
  }
}
