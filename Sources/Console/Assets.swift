import Domain
import HTTP

/// The stylesheet, the script and the icon.
enum Asset {
  private static let files: [String: (type: String, bytes: [UInt8])] = [
    "console.css": ("text/css; charset=utf-8", PackageResources.console_css),
    "console.js": ("text/javascript; charset=utf-8", PackageResources.console_js),
    "icon.svg": ("image/svg+xml", PackageResources.icon_svg),
  ]

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
