/// Looks through the journal of a sandbox for requests, one at a time: their bodies can have megabytes.
///
/// A class, because it remembers how far it has looked.
final class JournalSearch {
  /// The matching requests so far.
  private(set) var count = 0
  private let filter: JournalFilter
  private let sandbox: Sandbox
  private let clearCount: Int
  /// The ordinals of the last request that it has looked at, and of the first matching one.
  private var last: Int
  private var first: Int?

  init(_ filter: JournalFilter, in sandbox: Sandbox, after ordinal: Int) {
    self.filter = filter
    self.sandbox = sandbox
    clearCount = sandbox.journal.clearCount
    last = ordinal
  }

  /// For a job, which ends with the newest request.
  var steps: Steps {
    var steps = Steps()
    steps.addRepeated { self.lookAtNext() }
    return steps
  }

  /// False if the sandbox was reset, or its journal emptied.
  func continues(in sandbox: Sandbox) -> Bool {
    self.sandbox === sandbox && sandbox.journal.clearCount == clearCount
  }

  /// The ordinal of the first matching request; nil if there is none now.
  func find() -> Int? {
    while first == nil, lookAtNext() {}
    return first
  }

  func findAll() { while lookAtNext() {} }

  private func lookAtNext() -> Bool {
    guard let next = sandbox.journal.exchanges(after: last, limit: 1).first else { return false }
    last = next.ordinal
    if filter.matches(next) {
      count += 1
      first = first ?? next.ordinal
    }
    return true
  }
}
