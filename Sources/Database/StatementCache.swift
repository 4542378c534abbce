/// Compiled statements by the address of their text: a hash table with open addressing, because the standard
/// dictionary's hash would cost as much as binding a row.
struct StatementCache {
  private var slots: [Statement?] = Array(repeating: nil, count: 128)
  private var count = 0

  /// The statement compiled from this very literal.
  func find(_ sql: StaticString) -> Statement? {
    slots[slot(of: sql)]
  }

  /// Keeps a statement under its text.
  mutating func insert(_ statement: Statement) {
    if count * 2 >= slots.count { grow() }
    slots[slot(of: statement.sql)] = statement
    count += 1
  }

  /// Forgets all statements, which ends them.
  mutating func removeAll() {
    self = StatementCache()
  }

  /// Where a text is, or the free slot where it belongs.
  private func slot(of sql: StaticString) -> Int {
    let address = UInt(bitPattern: sql.utf8Start)
    let mask = slots.count - 1
    // Multiplied by the golden ratio, the upper half of an address is well mixed.
    var slot = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while let other = slots[slot], other.sql.utf8Start != sql.utf8Start { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: nil, count: old.count * 2)
    for case let statement? in old { slots[slot(of: statement.sql)] = statement }
  }
}
