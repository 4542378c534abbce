package import Domain
import HTTP

extension Provider {
  /// Its errors with their examples, in the order of its table.
  package static func documentedErrors() throws -> [DocumentedError] {
    let file = try ErrorFile(String(decoding: errorExamples, as: UTF8.self))
    let (errors, router) = (errors, Router([owner]))
    var examples = try file.examples.map { (row: try row(for: $0.key, in: errors), example: $0.example) }
    var documented: [DocumentedError] = []
    for row in errors {
      let own = examples.filter { $0.row == row }
      guard own.count <= 1 else {
        throw ErrorFile.Mistake(description: "\(row.code) has \(own.count) examples")
      }
      documented.append(documentedError(row, own.first?.example ?? Self.undocumented, router))
      // The same error with other statuses.
      documented += examples.filter { $0.row.isVariant(of: row) }
        .map { documentedError($0.row, $0.example, router) }
      examples.removeAll { $0.row == row || $0.row.isVariant(of: row) }
    }
    return documented
  }

  private static var undocumented: ErrorExample {
    var example = ErrorExample()
    example.isOnlyByFault = true
    return example
  }

  /// The row that an example is for. One with another status is added to the table.
  private static func row(
    for key: ErrorFile.Key, in errors: [ErrorRow]
  ) throws(ErrorFile.Mistake) -> ErrorRow {
    let rows = errors.filter { $0.code == key.code && (key.format == nil || key.format == $0.format) }
    guard let first = rows.first else {
      throw ErrorFile.Mistake(description: "no error \(key.code) in the table")
    }
    guard Set(rows.map(\.format)).count == 1 else {
      throw ErrorFile.Mistake(description: "\(key.code) is in several formats")
    }
    guard let status = key.status else { return first }
    return rows.first { $0.status == status } ?? ErrorRow(first.code, status, first.text, in: first.format)
  }

  private static func documentedError(
    _ row: ErrorRow, _ example: ErrorExample, _ router: Router<Sandbox>
  ) -> DocumentedError {
    let last = example.requests.last.flatMap { route(of: $0, router) }
    let routes = last.map { [$0] } ?? []
    return DocumentedError(
      provider: name, row: row, example: example,
      routes: example.routes.contains(DocumentedError.everyRoute)
        ? [DocumentedError.everyRoute] : routes + example.routes.filter { $0 != last })
  }

  /// The name of a request's route; nil for another path.
  private static func route(of request: ExampleRequest, _ router: Router<Sandbox>) -> String? {
    guard let method = HTTP.Method(rawValue: request.method) else { return nil }
    let path = String(request.path.prefix { $0 != "?" })
    return router.match(method, path: path, under: "/\(name)", host: "").route?.name
  }
}

extension ErrorRow {
  fileprivate func isVariant(of other: ErrorRow) -> Bool {
    code == other.code && format == other.format && status != other.status
  }
}
