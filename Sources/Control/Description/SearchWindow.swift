/// The part of a long list that is searched at once: a filter may select few of a million rows, or none.
struct SearchWindow {
  typealias Candidate<Entry> = (cursor: Int, entry: Entry?)

  /// So many rows are searched in a few milliseconds, also those of one destination, which are read one by
  /// one.
  private static let ordinals = 4_000

  private let newest: Int

  init(of sandbox: Sandbox) { newest = sandbox.newestOrdinal }

  /// The candidates after an ordinal, of which `read` returns those between two ordinals. A last one without
  /// an entry says how far it has searched.
  func after<Entry>(
    _ ordinal: Int, limit: Int, _ read: (_ after: Int, _ before: Int) throws -> [Candidate<Entry>]
  ) rethrows -> [Candidate<Entry>] {
    let end = min(ordinal, newest) + Self.ordinals
    guard end <= newest else { return try read(ordinal, .max) }
    let found = try read(ordinal, end)
    return found.count < limit ? found + [(end - 1, nil)] : found
  }

  /// The same before an ordinal, newest first.
  func before<Entry>(
    _ ordinal: Int, limit: Int, _ read: (_ after: Int, _ before: Int) throws -> [Candidate<Entry>]
  ) rethrows -> [Candidate<Entry>] {
    let start = max(0, min(ordinal, newest + 1) - Self.ordinals)
    let found = try read(start, ordinal)
    return found.count < limit && start > 0 ? found + [(start + 1, nil)] : found
  }
}
