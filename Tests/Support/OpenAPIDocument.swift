import Foundation
package import JSON

/// A provider's OpenAPI 3.0 document, against which responses are checked.
///
/// A class, because it is large and read once.
package final class OpenAPIDocument: Sendable {
  /// One operation of the document.
  package struct Operation: Hashable, Sendable {
    /// `POST`
    package let method: String
    /// `/v2/Services/{Sid}`
    package let path: String
    /// The provider's name for the operation.
    package let name: String
  }

  private struct Entry {
    let operation: Operation
    /// `["v2", "Services", "{Sid}"]`
    let segments: [String]
    let responses: JSON
  }

  private let root: JSON
  private let entries: [Entry]

  /// The document of Twilio Verify v2.
  package static let twilioVerify = OpenAPIDocument(of: "twilio-verify")
  /// The documents of the other Twilio APIs: Lookup, accounts and messages, phone numbers, calls, OAuth.
  package static let twilioNeighbours = [
    "twilio-lookups", "twilio-lookups-v1", "twilio-messages", "twilio-numbers", "twilio-calls",
    "twilio-oauth",
  ].map { OpenAPIDocument(of: $0) }

  /// The documents of all CAMARA APIs, with the name of the API before those of its schemas.
  package static let camara = OpenAPIDocument(of: "camara")

  /// What deviates in a response of a provider from its documents, if this machine has them.
  package static func complaints(about exchange: Exchange, of provider: String) -> [String] {
    let documents: [OpenAPIDocument] =
      switch provider {
      case "twilio": [.twilioVerify] + twilioNeighbours
      case "camara": [.camara]
      default: []
      }
    return documents.flatMap { exchange.disagreements(with: $0) }.filter { !knownDeviations.contains($0) }
      .map { "deviates from the OpenAPI document: \($0)" }
  }

  /// The contract has a newer channel than the document. Source: twilio-verify.md 4.1.
  private static let knownDeviations = [#"$.channel: string("rcs") is not in the enum"#]

  /// A file of `Tests/Contracts`.
  private convenience init(of name: String) {
    do {
      let file = Checkout.root.appending(path: "Tests/Contracts/\(name).json")
      try self.init(Array(Data(contentsOf: file)))
    } catch { preconditionFailure("\(name).json: \(error)") }
  }

  package init(_ bytes: [UInt8]) throws {
    root = try JSON(parsing: bytes)
    entries = root["paths"].members.flatMap { path in
      path.value.members.compactMap { method in
        guard let name = method.value["operationId"]?.text, let responses = method.value["responses"] else {
          return nil
        }
        let operation = Operation(method: method.name.uppercased(), path: path.name, name: name)
        return Entry(
          operation: operation, segments: path.name.split(separator: "/").map(String.init),
          responses: responses)
      }
    }
  }

  /// Every operation, in the document's order.
  package var all: [Operation] { entries.map(\.operation) }

  /// Violations of the document by a response. Of errors, only those are checked that it describes.
  package func disagreements(method: String, path: String, status: Int, body: [UInt8]) -> [String] {
    guard let responses = responses(method, path) else { return [] }
    let response = responses[String(status)] ?? responses["\(status / 100)XX"]
    guard (200...299).contains(status) || response != nil else { return [] }
    guard let response else { return ["\(status) is no documented status"] }
    let schema = response["content"]?["application/json"]?["schema"]
    if response["content"]?["text/plain"] != nil, schema == nil || body.first != UInt8(ascii: "{") {
      return []
    }
    guard let schema else {
      // A file of another media type.
      return body.isEmpty || response["content"] != nil ? [] : ["expected no body with \(status)"]
    }
    do {
      let check = SchemaCheck(root: root)
      return check.disagreements(of: try JSON(parsing: body), with: schema, at: "$")
    } catch {
      return ["the body is not JSON: \(error)"]
    }
  }

  /// Violations of one of the document's schemas by a value.
  package func disagreements(of value: JSON, withSchema name: String) -> [String] {
    guard let schema = root["components"]?["schemas"]?[name] else { return ["there is no schema \(name)"] }
    return SchemaCheck(root: root).disagreements(of: value, with: schema, at: "$")
  }

  /// The operation of a request.
  package func operation(_ method: String, _ path: String) -> Operation? { entry(method, path)?.operation }

  private func responses(_ method: String, _ path: String) -> JSON? { entry(method, path)?.responses }

  /// The operation for a path and its documented responses. A literal segment wins over a parameter.
  private func entry(_ method: String, _ path: String) -> Entry? {
    let parts = path.split(separator: "/").map(String.init)
    return entries.filter { entry in
      entry.operation.method == method && entry.segments.count == parts.count
        && zip(entry.segments, parts).allSatisfy { $0.first == "{" || $0 == $1 }
    }
    .min { $0.operation.path.filter { $0 == "{" }.count < $1.operation.path.filter { $0 == "{" }.count }
  }
}
