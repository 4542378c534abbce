import Foundation
import Support

/// A provider's section of `Docs/Coverage.md`: whether each operation is mounted, called through the official
/// client, and has a tested error.
struct Ledger {
  struct Line {
    let operation: Operation
    let isMounted: Bool
    let isDriven: Bool
    let isRefused: Bool
  }

  let provider: String
  let lines: [Line]

  /// The ledger of a provider, from the route table, `driven.json` and the goldens.
  init(of provider: String, routes: [RouteEntry]) throws {
    let mounted = Set(routes.filter { $0.owner == provider.lowercased() && $0.isMounted }.map(\.name))
    let driven = try Self.drivenOperations()[provider.lowercased()] ?? []
    self.provider = provider
    lines = try Operation.all(of: provider, in: routes).map { operation in
      Line(
        operation: operation, isMounted: mounted.contains(operation.route),
        isDriven: driven.contains(operation.route),
        isRefused: GoldenFile.all(of: provider, route: operation.route).contains { $0.status >= 400 })
    }
  }

  var markdown: String {
    let mounted = lines.filter(\.isMounted)
    let rows = lines.map { line in
      "| \(line.operation.providerName) | `\(line.operation.method) \(line.operation.path)` "
        + "| \(line.isMounted ? "`\(line.operation.route)`" : "absent") | \(mark(line.isDriven)) | \(mark(line.isRefused)) |"
    }
    return """
      ## \(provider)

      \(mounted.count) of \(lines.count) operations are mounted; of these, \(mounted.filter(\.isDriven).count) are called \
      through the official client and \(mounted.filter(\.isRefused).count) have a tested error.

      | Operation | Request | Mounted as | Official client | Error tested |
      | --- | --- | --- | --- | --- |
      \(rows.joined(separator: "\n"))

      """
  }

  private func mark(_ isSo: Bool) -> String { isSo ? "yes" : "no" }

  /// The routes that official clients called in the conformance run, by provider; the run compares the file.
  private static func drivenOperations() throws -> [String: Set<String>] {
    let file = Checkout.root.appending(path: "Tests/Contracts/driven.json")
    return try JSONDecoder().decode([String: Set<String>].self, from: Data(contentsOf: file))
  }
}

/// A recorded exchange on disk.
struct GoldenFile: Sendable {
  /// Relative to `Tests`.
  let path: String
  /// `Twilio`
  let owner: String
  /// `createVerification`
  let route: String
  let bytes: [UInt8]

  init(path: String, bytes: [UInt8]) {
    let folders = path.split(separator: "/").dropLast().suffix(2).map(String.init)
    (self.path, self.bytes, owner, route) = (path, bytes, folders[0], folders[1])
  }

  /// The status of the response; 0 without a response.
  var status: Int {
    let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: Array("HTTP/1.1 ".utf8)) }
    return line.flatMap { Int(String(decoding: $0.dropFirst(9).prefix(3), as: UTF8.self)) } ?? 0
  }

  /// The method and the path of the request.
  var request: (method: String, path: String) {
    let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.first != UInt8(ascii: "#") } ?? []
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count > 1 else { return ("", "") }
    return (String(words[0]), String(words[1].prefix { $0 != "?" }))
  }

  /// The body of the response.
  var body: [UInt8] {
    guard let start = bytes.firstRange(of: Array("\nHTTP/1.1 ".utf8))?.upperBound,
      let end = bytes[start...].firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
    else { return [] }
    return Array(bytes[end...])
  }

  static let all: [GoldenFile] = {
    let tests = Checkout.root.appending(path: "Tests")
    let paths = FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String } ?? []
    let goldens = paths.filter {
      $0.hasSuffix(".http") && $0.contains("/Golden/") && !$0.hasPrefix("Fixtures/")
    }
    return goldens.sorted().compactMap { path in
      (try? Data(contentsOf: tests.appending(path: path))).map { GoldenFile(path: path, bytes: Array($0)) }
    }
  }()

  /// Compares owners without case, since some names are acronyms.
  static func all(of owner: String, route: String) -> [GoldenFile] {
    byRoute["\(owner.lowercased()) \(route)"] ?? []
  }

  private static let byRoute = Dictionary(grouping: all) { "\($0.owner.lowercased()) \($0.route)" }
}
