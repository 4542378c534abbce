/// What a request line asks for: the path and the query, still percent-encoded.
package struct Target: Sendable, Equatable {
  /// From the first `/` to the `?`.
  package var path: String
  /// Behind the `?`; empty where there is none.
  package var query: String

  /// The target of an origin-form request line.
  package init(path: String, query: String = "") {
    self.path = path
    self.query = query
  }

  /// Splits `"/path?query"`.
  package init(_ text: String) {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(path: String(halves[0]), query: halves.count > 1 ? String(halves[1]) : "")
  }

  /// Path and query as they stood on the request line.
  package var text: String { query.isEmpty ? path : "\(path)?\(query)" }
}
