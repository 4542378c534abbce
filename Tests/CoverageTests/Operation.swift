import Foundation
import Support
import Testing

/// One operation of a vendor's contract, from a file of `Operations`.
struct Operation: Sendable, CustomTestStringConvertible {
  let method: String
  let path: String
  let route: String
  let vendorName: String
  /// The call of the vendor's Python client: `services(…).fetch(`; empty where there is none.
  let call: String

  /// `GET /v2/Services/{}`: captures have no names, since every list has its own.
  var shape: String { "\(method) \(path.replacing(#/\{[^}]+\}/#, with: "{}"))" }

  var testDescription: String { route }

  /// Every operation of a provider's file, in its order.
  static func all(of provider: String) throws -> [Operation] {
    let file = Checkout.root.appending(path: "Tests/CoverageTests/Operations/\(provider).txt")
    return try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.map { try Operation(line: $0) }
  }

  private init(line: Substring) throws {
    let columns = line.split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let request = columns[0].split(separator: " ").map(String.init)
    guard columns.count == 4, request.count == 2 else { throw BadLine(line: String(line)) }
    (method, path) = (request[0], request[1])
    (route, vendorName, call) = (columns[1], columns[2], columns[3])
  }

  /// A line that is no operation.
  struct BadLine: Error { let line: String }
}
