extension Provider {
  /// Its errors with their examples, in the order of its table. The example of an error is the first check
  /// that ends with it, or else the first requests of one that gets it.
  package static func documentedErrors() throws -> [DocumentedError] {
    let file = try CheckFile(checkFiles, of: name)
    let (errors, router) = (errors, Router([owner]))
    let rows = Dictionary(grouping: errors, by: \.code)
    var examples: [(row: ErrorRow, check: Check, endsWithIt: Bool)] = []
    var routes: [ErrorRow: [String]] = [:]
    for check in file.checks {
      for (index, request) in check.requests.enumerated() {
        guard let row = row(expectedBy: request, check, in: rows) else { continue }
        routes[row, default: []] += route(of: request, router).map { [$0] } ?? []
        let isLast = index == check.requests.count - 1
        if isLast { routes[row, default: []] += check.routes }
        if let known = examples.firstIndex(where: { $0.row == row }) {
          guard isLast, !examples[known].endsWithIt else { continue }
          (examples[known].check, examples[known].endsWithIt) = (check, true)
        } else {
          examples.append((row, check.first(index + 1), isLast))
        }
      }
    }
    return errors.flatMap { row in
      let exception = file.exceptions.first {
        $0.codes.contains(row.code) && ($0.format == nil || $0.format == row.format)
      }
      let own = examples.filter { $0.row == row && ($0.endsWithIt || exception == nil) }
      // The same error with other statuses.
      let variants = examples.filter { $0.row.isVariant(of: row, in: errors) }
      let documented = (own + variants).map { example in
        DocumentedError(
          provider: name, row: example.row, way: .check(example.check),
          routes: distinct(routes[example.row] ?? []))
      }
      guard own.isEmpty else { return documented }
      let shown = distinct((routes[row] ?? []) + (exception?.routes ?? []))
      return [DocumentedError(provider: name, row: row, way: way(exception), routes: shown)] + documented
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
    expectedBy request: CheckRequest, _ check: Check, in rows: [String: [ErrorRow]]
  ) -> ErrorRow? {
    guard let expected = request.expected, !request.path.hasPrefix("/control/") else { return nil }
    let values = expected.values + expected.members.filter(\.isEqual).map(\.value)
    let rows = values.flatMap { rows[$0] ?? [] }.filter { check.format == nil || check.format == $0.format }
    guard Set(rows.map(\.format)).count == 1,
      let row = rows.first(where: { $0.status == expected.status }) ?? rows.first
    else { return nil }
    if row.status == expected.status { return row }
    return expected.status < 400 ? nil : ErrorRow(row.code, expected.status, row.text, in: row.format)
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
