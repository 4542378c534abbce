import JSON

/// The latest requests with their answers: a bounded ring in memory, never in the database.
///
/// The bytes of many exchanges share a page of memory. With a thousand separate allocations, each would have
/// left the processor's caches before it is written again. A class because every request of the sandbox
/// writes to it.
package final class Journal {
  /// The most bytes, so that large bodies cannot fill the memory.
  package static let byteLimit = 16 << 20
  /// The most exchanges.
  package static let defaultCapacity = 1000
  private static let pageSize = 64 << 10

  /// A block of memory for the bytes of several exchanges. A class because they share it: it is freed with
  /// the last one.
  private final class Page {
    var bytes: [UInt8] = []

    init(room: Int) { bytes.reserveCapacity(room) }

    func hasRoom(for count: Int) -> Bool { bytes.capacity - bytes.count >= count }
  }

  /// An exchange whose bytes are on a page.
  private struct Entry {
    let frame: Exchange
    let page: Page
    let start: Int
    let sizes: Exchange.Sizes
  }

  private var ring: [Entry?] = []
  private var page = Page(room: 0)
  /// The exchanges since the journal was last emptied, and the number of those that are kept.
  private var count = 0
  private var kept = 0
  private var keptBytes = 0
  /// The newest tests, in the order in which they began.
  package internal(set) var tests: [MarkedTest] = []
  private let capacity: Int
  /// At most `Journal.byteLimit`.
  var byteLimit: Int {
    didSet { while kept > 0 && keptBytes > bytesAllowed { dropOldest() } }
  }
  /// The number of exchanges ever recorded.
  private(set) var recordCount = 0
  /// The number of times that the journal was emptied.
  package private(set) var clearCount = 0

  package init(capacity: Int = defaultCapacity, byteLimit: Int = byteLimit) {
    self.capacity = capacity
    self.byteLimit = byteLimit
  }

  /// Adds an exchange; the oldest ones are dropped where there is no room.
  package func record(_ exchange: consuming Exchange) {
    let sizes = exchange.sizes
    while kept == capacity || (kept > 0 && keptBytes + sizes.total > bytesAllowed) { dropOldest() }
    if !page.hasRoom(for: sizes.total) { page = Page(room: max(sizes.total, Self.pageSize)) }
    let start = page.bytes.count
    exchange.moveParts(to: &page.bytes)
    count += 1
    recordCount &+= 1
    exchange.ordinal = count
    let entry = Entry(frame: exchange, page: page, start: start, sizes: sizes)
    if ring.count < capacity { ring.append(entry) } else { ring[(count - 1) % capacity] = entry }
    kept += 1
    keptBytes += sizes.total
  }

  /// The kept exchanges, oldest first.
  package var exchanges: [Exchange] { exchanges(after: 0) }

  /// The kept exchanges with a higher ordinal, oldest first, at most `limit`.
  package func exchanges(after ordinal: Int, limit: Int = .max) -> [Exchange] {
    Range(max(ordinal, count - kept), upTo: count).prefix(limit).compactMap { exchange(at: $0) }
  }

  /// The kept exchanges with a lower ordinal, newest first, at most `limit`.
  package func exchanges(before ordinal: Int, limit: Int) -> [Exchange] {
    let end = min(ordinal - 1, count)
    return stride(from: end, to: count - kept, by: -1).prefix(limit).compactMap { exchange(at: $0 - 1) }
  }

  /// The kept exchanges, newest first. Each is copied only when a caller asks for it.
  package var newestFirst: some Sequence<Exchange> {
    stride(from: count, to: count - kept, by: -1).lazy.compactMap { self.exchange(at: $0 - 1) }
  }

  package func find(_ ordinal: Int) -> Exchange? {
    ordinal > count - kept && ordinal <= count ? exchange(at: ordinal - 1) : nil
  }

  /// The number of requests since the journal was last emptied, which is the ordinal of the newest one.
  package var lastOrdinal: Int { count }

  package var last: Exchange? { kept == 0 ? nil : exchange(at: count - 1) }

  /// Removes all exchanges; the next one gets the ordinal 1.
  package func clear() {
    ring = []
    tests = []
    page = Page(room: 0)
    (count, kept, keptBytes) = (0, 0, 0)
    clearCount &+= 1
  }

  /// Replaces all exchanges. Their ordinals are consecutive.
  package func restore(_ exchanges: [Exchange]) {
    clear()
    guard let first = exchanges.first else { return }
    // In a full ring, the place of an exchange follows from its ordinal.
    if first.ordinal > 1 { ring = Array(repeating: nil, count: capacity) }
    count = first.ordinal - 1
    for exchange in exchanges { record(exchange) }
  }

  private func exchange(at index: Int) -> Exchange? {
    guard let entry = ring[index % capacity] else { return nil }
    var exchange = entry.frame
    exchange.takeParts(from: entry.page.bytes, at: entry.start, entry.sizes)
    return exchange
  }

  private var bytesAllowed: Int { min(byteLimit, Self.byteLimit) }

  private func dropOldest() {
    let oldest = (count - kept) % capacity
    keptBytes -= ring[oldest]?.sizes.total ?? 0
    ring[oldest] = nil
    kept -= 1
  }
}
