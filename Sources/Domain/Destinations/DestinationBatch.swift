/// Entries of a `DestinationIndex` in memory: a hash table whose slots are chains, newest first.
struct DestinationBatch {
  struct Entry {
    let hash: UInt32
    /// Where the next older entry of this hash is in `entries`; -1 if there is none.
    fileprivate(set) var older: Int32
    /// Of the record.
    let ordinal: Int
  }

  private var entries: [Entry] = []
  /// Where the newest entry of each hash is in `entries`. -1 is a free slot; at least half are free.
  private var slots = [Int32](repeating: -1, count: 64)

  var count: Int { entries.count }

  /// Ordinals come in their order, but for those of one request.
  mutating func add(_ ordinal: Int, under hash: UInt32) {
    if 2 * (entries.count + 1) > slots.count { grow() }
    let slot = slot(of: hash)
    let new = Int32(entries.count)
    var newer: Int32 = -1
    var older = slots[slot]
    while older >= 0, entries[Int(older)].ordinal > ordinal {
      newer = older
      older = entries[Int(older)].older
    }
    entries.append(Entry(hash: hash, older: older, ordinal: ordinal))
    if newer >= 0 { entries[Int(newer)].older = new } else { slots[slot] = new }
  }

  func newestFirst(_ hash: UInt32) -> some Sequence<Int> {
    sequence(state: slots[slot(of: hash)]) { index in
      guard index >= 0 else { return nil }
      let entry = entries[Int(index)]
      index = entry.older
      return entry.ordinal
    }
  }

  /// The entries whose hashes are in a range, by hash, then by ordinal.
  func sorted(in hashes: ClosedRange<UInt32> = 0...UInt32.max) -> [Entry] {
    entries.filter { hashes.contains($0.hash) }.sorted { ($0.hash, $0.ordinal) < ($1.hash, $1.ordinal) }
  }

  /// The slot of a hash, or the free one where it belongs.
  private func slot(of hash: UInt32) -> Int {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] >= 0, entries[Int(slots[slot])].hash != hash { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let heads = slots.filter { $0 >= 0 }
    slots = [Int32](repeating: -1, count: 2 * slots.count)
    for head in heads { slots[slot(of: entries[Int(head)].hash)] = head }
  }
}
