import Domain
import HTTP
import Markup
import ProviderKit
import QRCode

/// The page Connect: how to configure an app for this sandbox, with its URL and credentials.
struct ConnectPage: Page {
  let title = "Connect"
  private let url: String
  private let isDefault: Bool
  private let providers: [ProviderSetup]
  private let newest: Journal.Exchange?

  init(_ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type]) throws {
    url = sandbox.baseURL(requestOrigin: request.origin)
    isDefault = sandbox.name == Sandboxes.defaultName
    let programs = try ProviderPrograms.all()
    let url = url
    self.providers = try programs.compactMap { programs in
      try providers.first { $0.name == programs.provider }.map {
        try ProviderSetup(programs, of: $0, in: sandbox, at: url)
      }
    }
    newest = sandbox.journal.last
  }

  func content(_ layout: Layout) -> HTML {
    h1 { "Connect" }
    div(.class("columns")) {
      div {
        FirstRequest(newest).html(layout)
        anyApp
        for provider in providers { provider.html }
      }
      aside(.class("recent")) {
        phones
        certificates(layout)
      }
    }
  }

  private var anyApp: HTML {
    section(.class("card")) {
      h2 { "Any app, without a change" }
      p { "Run your tests with a private sandbox, which ends with the command:" }
      CopyableCode("ringfence run -- your-test-command").html
      p { "Or send an app to this sandbox: its credentials, the proxy, and the certificates to trust." }
      CopyableCode(#"eval "$(\#(environment))""#).html
    }
  }

  private var environment: String {
    let server = isDefault ? url : url.split(separator: "/s/").first.map(String.init) ?? url
    let sandbox = isDefault ? "" : " --sandbox \(url.split(separator: "/").last ?? "")"
    return "ringfence env --format sh --proxy --url \(server)\(sandbox)"
  }

  private var phones: HTML {
    section {
      h2 { "A phone" }
      if let code = QRCode("\(url)/") {
        QRCodeImage(code, label: "The address of this page's sandbox").html
      }
      p {
        "The QR code opens "
        a(.href("\(url)/")) { "\(url)/" }
      }
      if isLoopback {
        p(.class("why")) {
          "A phone cannot reach this address. Start the server with --http 0.0.0.0:5550 and --public-url."
        }
      }
    }
  }

  private var isLoopback: Bool {
    let host = AbsoluteURL(url)?.host ?? ""
    return host == "localhost" || host == "[::1]" || host == "::1" || host.hasPrefix("127.")
  }

  private func certificates(_ layout: Layout) -> HTML {
    section {
      h2 { "Certificates" }
      p { "For HTTPS, clients must trust the authority of this server:" }
      CopyableCode("ringfence ca --trust python").html
      p { "java, debian, and others work too. For phones:" }
      ul {
        li { a(.href(layout.url("/control/phone/authority.mobileconfig"))) { "profile for iOS" } }
        li { a(.href(layout.url("/control/phone/authority.crt"))) { "certificate for Android" } }
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
