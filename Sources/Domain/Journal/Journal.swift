/// The record of requests received and answered: a bounded ring in memory, never in the database.
///
/// Texts and bytes of many exchanges stand one behind the other on a page. In a thousand pieces of memory of their
/// own, each would be out of the processor's caches when its turn comes to be written anew.
/// A class because it is one sandbox's and is written on every request.
package final class Journal {
  /// The most bytes that are kept, so that large bodies cannot fill the machine.
  package static let byteLimit = 16 << 20
  private static let pageSize = 64 << 10

  /// A piece of memory that exchanges are written to, one behind the other. A class because they share it: it goes
  /// with the last of them.
  private final class Page {
    var bytes: [UInt8] = []

    init(room: Int) { bytes.reserveCapacity(room) }

    func hasRoom(for count: Int) -> Bool { bytes.capacity - bytes.count >= count }
  }

  /// An exchange whose texts and bytes are on a page.
  private struct Entry {
    let frame: Exchange
    let page: Page
    let start: Int
    let sizes: Exchange.Sizes
  }

  private var ring: [Entry?] = []
  private var page = Page(room: 0)
  /// How many there were since the journal was last emptied, and how many of the newest are kept.
  private var count = 0
  private var kept = 0
  private var keptBytes = 0
  private let capacity: Int

  /// A journal that keeps the newest `capacity` exchanges.
  package init(capacity: Int = 1000) {
    self.capacity = capacity
  }

  /// Writes one exchange down; the oldest go as far as there is no room for them any more.
  package func record(_ exchange: consuming Exchange) {
    let sizes = exchange.sizes
    while kept == capacity || (kept > 0 && keptBytes + sizes.total > Self.byteLimit) { dropOldest() }
    if !page.hasRoom(for: sizes.total) { page = Page(room: max(sizes.total, Self.pageSize)) }
    let start = page.bytes.count
    exchange.moveParts(to: &page.bytes)
    count += 1
    exchange.ordinal = count
    let entry = Entry(frame: exchange, page: page, start: start, sizes: sizes)
    if ring.count < capacity { ring.append(entry) } else { ring[(count - 1) % capacity] = entry }
    kept += 1
    keptBytes += sizes.total
  }

  /// What is kept, oldest first.
  package var exchanges: [Exchange] { exchanges(after: 0) }

  /// What is kept behind an ordinal, oldest first.
  package func exchanges(after ordinal: Int) -> [Exchange] {
    let first = max(ordinal, count - kept)
    return first < count ? (first..<count).compactMap { exchange(at: $0) } : []
  }

  /// The newest one.
  package var last: Exchange? { kept == 0 ? nil : exchange(at: count - 1) }

  /// Forgets everything and numbers from 1 again.
  package func clear() {
    ring = []
    page = Page(room: 0)
    (count, kept, keptBytes) = (0, 0, 0)
  }

  private func exchange(at index: Int) -> Exchange? {
    guard let entry = ring[index % capacity] else { return nil }
    var exchange = entry.frame
    exchange.takeParts(from: entry.page.bytes, at: entry.start, entry.sizes)
    return exchange
  }

  private func dropOldest() {
    let oldest = (count - kept) % capacity
    keptBytes -= ring[oldest]?.sizes.total ?? 0
    ring[oldest] = nil
    kept -= 1
  }
}
