/// Entries of a `DestinationIndex` in memory, in parts: each has a range of hashes, so the entries of one
/// destination are in one part. No request waits for more than one of them when they grow, shrink or are
/// sorted.
struct DestinationBatch {
  /// A power of two.
  static let parts = 128
  private static let hashBits = 31

  private var parts = [DestinationPart](repeating: DestinationPart(), count: Self.parts)
  private(set) var count = 0

  /// Adds a record. Ordinals come in their order, but for those of one request.
  mutating func add(_ kind: DestinationEntry.Kind, _ ordinal: Int, under hash: DestinationHash) {
    let part = Self.part(of: hash[kind])
    if kind == .message, parts[part].add(message: ordinal, toVerificationUnder: hash) { return }
    parts[part].add(DestinationEntry(hash: hash[kind], ordinal: ordinal))
    count += 1
  }

  /// The entries that may have records of a kind.
  func newestFirst(_ kind: DestinationEntry.Kind, of hash: DestinationHash) -> some Sequence<DestinationEntry>
  {
    parts[Self.part(of: hash[kind])].newestFirst(kind, of: hash)
  }

  /// All entries, by hash, then by ordinal.
  var sorted: [DestinationEntry] { parts.flatMap(\.sorted) }

  /// The entries of a part in the same order.
  func sorted(part: Int) -> [DestinationEntry] { parts[part].sorted }

  /// Up to `limit` entries of a part, oldest first, after the `count` oldest ones.
  func oldest(of part: Int, after count: Int, limit: Int) -> some Sequence<DestinationEntry> {
    parts[part].oldest.dropFirst(count).prefix(limit)
  }

  /// Replaces the `count` oldest entries of a part by those of them that are still needed.
  mutating func replaceOldest(_ count: Int, of part: Int, by needed: [DestinationEntry]) {
    self.count -= count - needed.count
    parts[part] = DestinationPart(needed + parts[part].oldest.dropFirst(count))
  }

  private static func part(of hash: UInt32) -> Int {
    Int(hash >> (Self.hashBits - Self.parts.trailingZeroBitCount))
  }
}

/// A hash table whose slots are chains, newest first.
private struct DestinationPart {
  private struct Link {
    var entry: DestinationEntry
    /// Where the next older entry of this hash is in `links`; -1 if there is none.
    var older: Int32
  }

  private var links: [Link] = []
  /// Where the newest entry of each hash is in `links`. -1 is a free slot; at least half are free.
  private var slots: [Int32] = Self.noSlots

  private static let noSlots = [Int32](repeating: -1, count: 8)

  /// Of entries in the order of their ordinals.
  init(_ entries: [DestinationEntry] = []) {
    links.reserveCapacity(entries.count)
    for entry in entries { add(entry) }
  }

  var oldest: some RandomAccessCollection<DestinationEntry> { links.lazy.map(\.entry) }

  mutating func add(_ entry: DestinationEntry) {
    if 2 * (links.count + 1) > slots.count { grow() }
    let slot = slot(of: entry.hash)
    let new = Int32(links.count)
    var newer: Int32 = -1
    var older = slots[slot]
    while older >= 0, links[Int(older)].entry.ordinal > entry.ordinal {
      newer = older
      older = links[Int(older)].older
    }
    links.append(Link(entry: entry, older: older))
    if newer >= 0 { links[Int(newer)].older = new } else { slots[slot] = new }
  }

  /// Adds a message to the entry of the newest verification, unless that has one, or a newer message has an
  /// entry of its own.
  mutating func add(message ordinal: Int, toVerificationUnder hash: DestinationHash) -> Bool {
    let index = slots[slot(of: hash[.verification])]
    guard let newest = link(index)?.entry, newest.messageOffset == 0,
      let offset = UInt8(exactly: ordinal - newest.ordinal),
      link(slots[slot(of: hash[.message])])?.entry.ordinal ?? -1 < newest.ordinal
    else { return false }
    links[Int(index)].entry.messageOffset = offset
    return true
  }

  func newestFirst(_ kind: DestinationEntry.Kind, of hash: DestinationHash) -> some Sequence<DestinationEntry>
  {
    let messages = kind == .message ? slots[slot(of: hash[.message])] : -1
    return sequence(state: (slots[slot(of: hash[.verification])], messages)) { next in
      let (verification, message) = (link(next.0), link(next.1))
      if let message, message.entry.ordinal > verification?.entry.ordinal ?? -1 {
        next.1 = message.older
        return message.entry
      }
      next.0 = verification?.older ?? -1
      return verification?.entry
    }
  }

  var sorted: [DestinationEntry] {
    links.map(\.entry).sorted { ($0.hash, $0.ordinal) < ($1.hash, $1.ordinal) }
  }

  private func link(_ index: Int32) -> Link? { index >= 0 ? links[Int(index)] : nil }

  /// The slot of a hash, or the free one where it belongs.
  private func slot(of hash: UInt32) -> Int {
    let mask = slots.count - 1
    var slot = Int(hash >> 1) & mask
    while slots[slot] >= 0, links[Int(slots[slot])].entry.hash != hash { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let heads = slots.filter { $0 >= 0 }
    slots = [Int32](repeating: -1, count: 2 * slots.count)
    for head in heads { slots[slot(of: links[Int(head)].entry.hash)] = head }
  }
}
