extension Journal {
  /// A test that used the sandbox, as the test reported it.
  package struct MarkedTest: Equatable, Sendable {
    package enum Outcome: String, CaseIterable, Sendable { case passed, failed, skipped }

    package let name: String
    /// The ordinal of its first request, if it sent one.
    package let first: Int
    /// The ordinal of its last request; nil while it runs.
    package fileprivate(set) var last: Int?
    /// Nil while it runs.
    package fileprivate(set) var outcome: Outcome?
  }

  /// The most tests that are kept.
  package static let testLimit = 5000

  /// Requests from now on belong to this test.
  package func begin(test name: String) {
    if tests.count == Self.testLimit { tests.removeFirst() }
    tests.append(MarkedTest(name: name, first: lastOrdinal + 1))
  }

  /// Ends the newest test of this name; one that was not begun has no requests.
  package func end(test name: String, _ outcome: MarkedTest.Outcome) {
    if !tests.contains(where: { $0.name == name && $0.outcome == nil }) { begin(test: name) }
    guard let index = tests.lastIndex(where: { $0.name == name && $0.outcome == nil }) else { return }
    tests[index].last = lastOrdinal
    tests[index].outcome = outcome
  }

  /// The test to which a request belongs: of several, the one that began last.
  package func test(of ordinal: Int) -> MarkedTest? {
    tests.last { $0.first <= ordinal && ordinal <= $0.last ?? .max }
  }
}
