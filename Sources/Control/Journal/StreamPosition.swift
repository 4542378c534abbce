/// What a client has seen of a sandbox: the last event, the last request, and the number of other changes.
package struct StreamPosition: Equatable, Sendable {
  var event = 0
  var request = 0
  /// Nil if the client does not know: then the next change is the first.
  var changes: Int?

  static let expected = "the id of an event of this stream, such as 31.4.7"

  init() {}

  /// The position after everything there is now.
  package init(endOf sandbox: Sandbox) {
    event = sandbox.newestOrdinal
    request = sandbox.journal.lastOrdinal
    changes = sandbox.quietChanges
  }

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(Self.number)
    guard 2...3 ~= parts.count, let event = parts.first ?? nil, let request = parts.dropFirst().first ?? nil
    else { return nil }
    self.event = event
    self.request = request
    guard parts.count == 3 else { return }
    guard let changes = parts.last ?? nil else { return nil }
    self.changes = changes
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.count <= 18 && digits.utf8.allSatisfy(\.isDigit) ? Int(digits, radix: 10) : nil
  }

  package var text: String { "\(event).\(request)" + (changes.map { ".\($0)" } ?? "") }
}
