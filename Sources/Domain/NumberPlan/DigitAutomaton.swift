/// A finite automaton over decimal digits, decoded from generated tables, one after the other.
///
/// They are pairs of characters, the high one first, that stand for 0 to 8280. A state consists of groups
/// of two values: digits as a bit mask and their next state; or bit 10 and the state's label. Bit 11 marks
/// the state's last group.
struct DigitAutomaton: Sendable {
  /// Ten per state. State 0 has no way out.
  private let targets: [UInt16]
  /// One per state; 0 for none.
  private let labels: [UInt16]

  init(_ tables: [String]) {
    var characters: [UInt16] = []
    characters.reserveCapacity(tables.reduce(0) { $0 + $1.utf8.count })
    for var table in tables {
      table.withUTF8 { bytes in
        for byte in bytes where byte != UInt8(ascii: "\n") {
          characters.append(UInt16(byte &- (byte > 92 ? 36 : 35)))
        }
      }
    }
    // State 0, then the one that is being read.
    var targets = [UInt16](repeating: 0, count: 20)
    var labels: [UInt16] = [0]
    var label: UInt16 = 0
    for place in stride(from: 0, to: characters.count - 3, by: 4) {
      let mask = characters[place] &* 91 &+ characters[place + 1]
      let value = characters[place + 2] &* 91 &+ characters[place + 3]
      if mask & 0x400 != 0 { label = value }
      let row = targets.count - 10
      var digits = mask & 0x3FF
      while digits != 0 {
        targets[row + digits.trailingZeroBitCount] = value
        digits &= digits &- 1
      }
      guard mask & 0x800 != 0 else { continue }
      targets.append(contentsOf: repeatElement(0, count: 10))
      labels.append(label)
      label = 0
    }
    self.targets = targets
    self.labels = labels
  }

  /// The label of the state that digits lead to, 0 for none.
  func label(after digits: some Sequence<UInt8>, from start: Int) -> Int {
    var state = start
    for digit in digits {
      state = Int(targets[state &* 10 &+ Int(digit &- 0x30)])
      if state == 0 { return 0 }
    }
    return Int(labels[state])
  }
}
