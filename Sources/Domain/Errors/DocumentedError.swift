/// One line of a provider's table of errors.
package struct ErrorRow: Hashable, Sendable {
  package let code: String
  package let status: Int
  /// Empty if the provider does not document one.
  package let text: String
  /// Which of the provider's formats has it; nil for a provider whose errors all look alike.
  package let format: String?

  package init(_ code: String, _ status: Int, _ text: String, in format: String? = nil) {
    self.code = code
    self.status = status
    self.text = text
    self.format = format
  }
}

/// An error of a provider, and how to get it.
package struct DocumentedError: Sendable {
  /// In `routes`: every route can answer it.
  package static let everyRoute = "all"

  package enum Way: Sendable {
    /// The last request of a check gets it.
    case check(Check)
    /// A request that a device's key signs, as in a conformance test.
    case device(explanation: String, test: String)
    /// Only an injected fault.
    case fault(explanation: String)
  }

  package let provider: String
  package let row: ErrorRow
  package let way: Way
  /// The names of the routes that can answer it.
  package let routes: [String]

  package init(provider: String, row: ErrorRow, way: Way, routes: [String]) {
    self.provider = provider
    self.row = row
    self.way = way
    self.routes = routes
  }

  package var isOnlyByFault: Bool { if case .fault = way { true } else { false } }

  /// For people.
  package var explanation: String {
    switch way {
    case .check(let check): check.title + "." + (check.explanation.isEmpty ? "" : " " + check.explanation)
    case .device(let explanation, _), .fault(let explanation): explanation
    }
  }

  /// The contract's check, or the test.
  package var check: String? {
    switch way {
    case .check(let check): check.numbers.first.map { "\(check.source.prefix { $0 != " " }) \($0)" }
    case .device(_, let test): test
    case .fault: nil
    }
  }
}
