/// The names of fields that a client sent and nobody read: the first ones, and how many more there are.
package struct UnreadNames {
  /// Who sends more has not misspelt one.
  private static let limit = 50

  private var names: [String] = []
  private var moreCount = 0

  package init() {}

  package mutating func add(_ name: @autoclosure () -> String) {
    if names.count < Self.limit { names.append(name()) } else { moreCount += 1 }
  }

  /// A field that was sent several times, and of which one value counted.
  package static func repeated(_ name: String) -> String { "\(name) (repeated)" }

  /// As people read them; a last item may be "and 950 more".
  package var list: [String] { moreCount == 0 ? names : names + ["and \(moreCount) more"] }
}
