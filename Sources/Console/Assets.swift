import Domain
import HTTP

/// The stylesheet, the script and the icon.
enum Asset {
  /// The files of `Assets/Styles` in the order of the cascade: what all pages share, then each kind of page.
  static let stylesheet = joined([
    PackageResources.tokens_css, PackageResources.base_css, PackageResources.frame_css,
    PackageResources.phones_css, PackageResources.timeline_css, PackageResources.stories_css,
    PackageResources.verification_css,
    PackageResources.request_css, PackageResources.break_css, PackageResources.connect_css,
    PackageResources.workshops_css, PackageResources.board_css, PackageResources.cards_css,
    PackageResources.pages_css,
  ])

  /// The files of `Assets/Scripts` as one module, so that a page needs one request for them.
  private static let script = joined([
    PackageResources.actions_js, PackageResources.theme_js, PackageResources.search_js,
    PackageResources.workshops_js,
    PackageResources.live_js,
    PackageResources.clock_js, PackageResources.pins_js, PackageResources.keys_js,
  ])

  private static let files: [String: (type: String, bytes: [UInt8])] = [
    "console.css": ("text/css; charset=utf-8", stylesheet),
    "console.js": ("text/javascript; charset=utf-8", script),
    "icon.svg": ("image/svg+xml", PackageResources.icon_svg),
  ]

  private static func joined(_ files: [[UInt8]]) -> [UInt8] { Array(files.joined(separator: "\n".utf8)) }

  /// Browsers ask for `/favicon.ico` on answers that are not pages.
  static func icon(_ request: Request, _ sandbox: Sandbox) -> Response { response("icon.svg") }

  static func response(_ request: Request, _ sandbox: Sandbox) -> Response {
    response(request[parameter: "name"])
  }

  private static func response(_ name: String) -> Response {
    guard let file = files[name] else { return .text(404, "There is no such file.\n") }
    return Response(
      200, headers: ["Content-Type": file.type, "Cache-Control": "no-cache"], body: file.bytes)
  }
}
