import Catalog
import Foundation
import Support
import Testing

/// One operation of a provider: a line of `Tests/Providers/<Name>/Operations.txt`, or, without that file, a
/// route.
struct Operation: Sendable, CustomTestStringConvertible {
  let method: String
  let path: String
  let route: String
  let providerName: String

  /// `GET /v2/Services/{}`: captures have no names, since every list has its own.
  var shape: String { "\(method) \(path.replacing(#/\{[^}]+\}/#, with: "{}"))" }

  var testDescription: String { route }

  /// The names of all providers, such as `Twilio`: their types without `Provider`.
  static let providers = catalog.map { "\($0)".replacing(/Provider$/, with: "") }.sorted()
  /// Those that list the operations of their contract.
  static let listedProviders = providers.filter {
    FileManager.default.fileExists(atPath: file(of: $0).path)
  }

  /// The operations of a provider, in the order of its file or its route table.
  static func all(of provider: String, in routes: [RouteEntry]) throws -> [Operation] {
    guard listedProviders.contains(provider) else {
      return routes.filter { $0.owner == provider.lowercased() }.map(Operation.init(route:))
    }
    return try String(contentsOf: file(of: provider), encoding: .utf8)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.map { try Operation(line: $0) }
  }

  private static func file(of provider: String) -> URL {
    Checkout.root.appending(path: "Tests/Providers/\(provider)/Operations.txt")
  }

  private init(route entry: RouteEntry) {
    (method, path, route, providerName) = (entry.method, entry.path, entry.name, entry.name)
  }

  private init(line: Substring) throws {
    let columns = line.split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let request = columns[0].split(separator: " ").map(String.init)
    guard columns.count == 3, request.count == 2 else { throw BadLine(line: String(line)) }
    (method, path) = (request[0], request[1])
    (route, providerName) = (columns[1], columns[2])
  }

  /// A line with missing columns.
  struct BadLine: Error { let line: String }
}
