package import Domain
import HTTP

extension Provider {
  /// Its errors with their examples, in the order of its table. The example of an error is the check that
  /// gets it with the fewest requests.
  package static func documentedErrors() throws -> [DocumentedError] {
    let file = try CheckFile(checkFiles, of: name)
    let (errors, router) = (errors, Router([owner]))
    var examples: [(row: ErrorRow, check: Check)] = []
    var routes: [ErrorRow: [String]] = [:]
    for check in file.checks {
      for (index, request) in check.requests.enumerated() {
        guard let row = row(expectedBy: request, check, in: errors) else { continue }
        routes[row, default: []] += route(of: request, router).map { [$0] } ?? []
        if index == check.requests.count - 1 { routes[row, default: []] += check.routes }
        let example = check.first(index + 1)
        if let known = examples.firstIndex(where: { $0.row == row }) {
          if examples[known].check.requests.count > index + 1 { examples[known].check = example }
        } else {
          examples.append((row, example))
        }
      }
    }
    return errors.flatMap { row in
      // Also the same error with other statuses.
      let own = examples.filter { $0.row == row } + examples.filter { $0.row.isVariant(of: row, in: errors) }
      let documented = own.map { example in
        DocumentedError(
          provider: name, row: example.row, way: .check(example.check),
          routes: distinct(routes[example.row] ?? []))
      }
      if own.first?.row == row { return documented }
      let exception = file.exceptions.first {
        $0.codes.contains(row.code) && ($0.format == nil || $0.format == row.format)
      }
      return [
        DocumentedError(provider: name, row: row, way: way(exception), routes: exception?.routes ?? [])
      ] + documented
    }
  }

  /// How an error comes about that no check shows.
  private static func way(_ exception: CheckFile.Exception?) -> DocumentedError.Way {
    let explanation = exception?.explanation ?? ""
    return exception?.test.map { .device(explanation: explanation, test: $0) }
      ?? .fault(explanation: explanation)
  }

  /// In the order of the checks; only `all` if a check says so.
  private static func distinct(_ routes: [String]) -> [String] {
    guard !routes.contains(DocumentedError.everyRoute) else { return [DocumentedError.everyRoute] }
    var known: Set<String> = []
    return routes.filter { known.insert($0).inserted }
  }

  /// The row of the error that a request of the check expects; nil if it expects none, or one that is in
  /// several formats.
  private static func row(
    expectedBy request: CheckRequest, _ check: Check, in errors: [ErrorRow]
  ) -> ErrorRow? {
    guard let expected = request.expected, !request.path.hasPrefix("/control/") else { return nil }
    let values = Set(expected.values + expected.members.lazy.filter(\.isEqual).map(\.value))
    let rows = errors.filter {
      values.contains($0.code) && (check.format == nil || check.format == $0.format)
    }
    guard Set(rows.map(\.format)).count == 1,
      let row = rows.first(where: { $0.status == expected.status }) ?? rows.first
    else { return nil }
    return row.status == expected.status
      ? row : ErrorRow(row.code, expected.status, row.text, in: row.format)
  }

  /// The name of a request's route; nil for another path.
  private static func route(of request: CheckRequest, _ router: Router<Sandbox>) -> String? {
    guard let method = HTTP.Method(rawValue: request.method) else { return nil }
    let path = request.path.prefix { $0 != "?" }
    let own = path.hasPrefix("/\(name)/") ? path.dropFirst(name.count + 1) : path
    return router.match(method, path: String(own), under: "/\(name)", host: "").route?.name
  }
}

extension Check {
  fileprivate func first(_ count: Int) -> Check {
    var check = self
    check.requests = Array(requests.prefix(count))
    return check
  }
}

extension ErrorRow {
  fileprivate func isVariant(of other: ErrorRow, in errors: [ErrorRow]) -> Bool {
    code == other.code && format == other.format && status != other.status && !errors.contains(self)
  }
}
