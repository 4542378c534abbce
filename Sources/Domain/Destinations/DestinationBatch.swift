/// Entries of a `DestinationIndex` in memory: a hash table whose slots are chains, newest first.
struct DestinationBatch {
  struct Entry {
    let hash: UInt32
    /// The index of the next older entry of this hash; -1 if there is none.
    fileprivate(set) var older: Int32
    /// The ordinal and the kind of a record.
    let number: Int
  }

  private var entries: [Entry] = []
  /// Indices of the newest entry of each hash; -1 where there is none. At least half of them are free.
  private var slots = [Int32](repeating: -1, count: 64)

  var count: Int { entries.count }

  /// Numbers arrive in their order, but for those of one request.
  mutating func add(_ number: Int, under hash: UInt32) {
    if 2 * (entries.count + 1) > slots.count { grow() }
    let slot = slot(of: hash)
    let new = Int32(entries.count)
    var newer: Int32 = -1
    var older = slots[slot]
    while older >= 0, entries[Int(older)].number > number {
      newer = older
      older = entries[Int(older)].older
    }
    entries.append(Entry(hash: hash, older: older, number: number))
    if newer >= 0 { entries[Int(newer)].older = new } else { slots[slot] = new }
  }

  func newestFirst(_ hash: UInt32) -> some Sequence<Int> {
    sequence(state: slots[slot(of: hash)]) { index in
      guard index >= 0 else { return nil }
      let entry = entries[Int(index)]
      index = entry.older
      return entry.number
    }
  }

  /// The entries whose hashes are in a range, by hash, then by number.
  func sorted(in hashes: ClosedRange<UInt32> = 0...UInt32.max) -> [Entry] {
    entries.filter { hashes.contains($0.hash) }.sorted { ($0.hash, $0.number) < ($1.hash, $1.number) }
  }

  /// The slot of a hash, or the free one where it belongs.
  private func slot(of hash: UInt32) -> Int {
    let mask = slots.count - 1
    // The low digits of similar numbers are similar, those of a product are not.
    var slot = Int(truncatingIfNeeded: (UInt64(hash) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while slots[slot] >= 0, entries[Int(slots[slot])].hash != hash { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let heads = slots.filter { $0 >= 0 }
    slots = [Int32](repeating: -1, count: 2 * slots.count)
    for head in heads { slots[slot(of: entries[Int(head)].hash)] = head }
  }
}
