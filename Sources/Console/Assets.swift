import Crypto
import ProviderKit

enum Asset: String, CaseIterable {
  case stylesheet = "console.css"
  case script = "console.js"
  case icon = "icon.svg"

  private struct Content {
    let bytes: [UInt8]
    /// Another one for other bytes.
    let version: String

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      version = Hex.encode(SHA256.hash(bytes).prefix(8))
    }
  }

  private static let contents = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, Content(joined($0.files))) })

  /// The files of a folder in `Assets`. A page needs one request for all.
  private var files: [[UInt8]] {
    switch self {
    // In the order of the cascade: what all pages share, then each kind of page.
    case .stylesheet:
      [
        PackageResources.tokens_css, PackageResources.base_css, PackageResources.frame_css,
        PackageResources.phones_css, PackageResources.timeline_css, PackageResources.stories_css,
        PackageResources.verification_css, PackageResources.follow_css, PackageResources.handset_css,
        PackageResources.request_css, PackageResources.break_css,
        PackageResources.connect_css, PackageResources.workshops_css, PackageResources.board_css,
        PackageResources.cards_css, PackageResources.docs_css, PackageResources.pages_css,
      ]
    // Modules that import nothing are one module when joined.
    case .script:
      [
        PackageResources.actions_js, PackageResources.theme_js, PackageResources.search_js,
        PackageResources.workshops_js, PackageResources.live_js, PackageResources.clock_js,
        PackageResources.pins_js, PackageResources.keys_js, PackageResources.moments_js,
        PackageResources.shared_js,
      ]
    case .icon: [PackageResources.icon_svg]
    }
  }

  /// Without the lines that are comments of scripts, which are for readers of the repository.
  private static func joined(_ files: [[UInt8]]) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    let lines = files.joined(separator: [newline]).split(separator: newline)
    let isComment = { (line: ArraySlice<UInt8>) in
      line.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8)
    }
    return Array(lines.filter { !isComment($0) }.joined(separator: [newline]))
  }

  private var content: Content { Self.contents[self]! }

  var bytes: [UInt8] { content.bytes }

  /// Below a sandbox's prefix. Browsers keep what it leads to, until a new version has another path.
  var path: String { "/console/assets/\(rawValue)?version=\(content.version)" }

  static func response(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    guard let asset = Asset(rawValue: request[parameter: "name"]) else {
      return .text(404, "There is no such file.\n")
    }
    let isOfPage = try request.query["version"] == asset.content.version
    return asset.response(cacheControl: isOfPage ? "max-age=31536000, immutable" : "no-cache")
  }

  /// Browsers ask for `/favicon.ico` on answers that are not pages.
  static func icon(_ request: Request, _ sandbox: Sandbox) -> Response {
    Asset.icon.response(cacheControl: "no-cache")
  }

  private func response(cacheControl: String) -> Response {
    Response(200, headers: ["Content-Type": type, "Cache-Control": cacheControl], body: bytes)
  }

  private var type: String {
    switch self {
    case .stylesheet: "text/css; charset=utf-8"
    case .script: "text/javascript; charset=utf-8"
    case .icon: "image/svg+xml"
    }
  }
}
