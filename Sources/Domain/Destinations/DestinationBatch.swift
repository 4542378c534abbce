/// Entries of a `DestinationIndex` in memory: a hash table whose slots are chains, newest first.
struct DestinationBatch {
  private struct Link {
    var entry: DestinationEntry
    /// Where the next older entry of this hash is in `links`; -1 if there is none.
    var older: Int32
  }

  private var links: [Link] = []
  /// Where the newest entry of each hash is in `links`. -1 is a free slot; at least half are free.
  private var slots = [Int32](repeating: -1, count: 64)

  var count: Int { links.count }

  /// Adds a record. Ordinals come in their order, but for those of one request.
  mutating func add(_ kind: DestinationEntry.Kind, _ ordinal: Int, under hash: DestinationHash) {
    if kind == .message, add(message: ordinal, toVerificationUnder: hash) { return }
    if 2 * (links.count + 1) > slots.count { grow() }
    let key = hash[kind]
    let slot = slot(of: key)
    let new = Int32(links.count)
    var newer: Int32 = -1
    var older = slots[slot]
    while older >= 0, links[Int(older)].entry.ordinal > ordinal {
      newer = older
      older = links[Int(older)].older
    }
    links.append(Link(entry: DestinationEntry(hash: key, ordinal: ordinal), older: older))
    if newer >= 0 { links[Int(newer)].older = new } else { slots[slot] = new }
  }

  /// Adds a message to the entry of the newest verification, unless that has one, or a newer message has an
  /// entry of its own.
  private mutating func add(message ordinal: Int, toVerificationUnder hash: DestinationHash) -> Bool {
    let index = slots[slot(of: hash[.verification])]
    guard let newest = link(index)?.entry, newest.messageOffset == 0,
      let offset = UInt8(exactly: ordinal - newest.ordinal),
      link(slots[slot(of: hash[.message])])?.entry.ordinal ?? -1 < newest.ordinal
    else { return false }
    links[Int(index)].entry.messageOffset = offset
    return true
  }

  /// The entries that may have records of a kind.
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

  /// The entries whose hashes are in a range, by hash, then by ordinal.
  func sorted(in hashes: ClosedRange<UInt32> = 0...UInt32.max) -> [DestinationEntry] {
    links.lazy.map(\.entry).filter { hashes.contains($0.hash) }
      .sorted { ($0.hash, $0.ordinal) < ($1.hash, $1.ordinal) }
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
