import Basics

/// A finite automaton over decimal digits, decoded from a generated file.
///
/// Its lines are pairs of characters, the high one first, that stand for 0 to 8280. A state consists of
/// groups of two values: digits as a bit mask and their next state; or bit 10 and the state's label. Bit 11
/// marks the state's last group.
struct DigitAutomaton: Sendable {
  /// Ten per state. State 0 has no way out.
  private let targets: [UInt16]
  /// One per state; 0 for none.
  private let labels: [UInt16]

  init(_ file: [UInt8]) {
    let characters = Self.characters(of: file)
    func value(at place: Int) -> UInt16 {
      UInt16(characters[place]) &* 91 &+ UInt16(characters[place + 1])
    }
    let groups = stride(from: 0, to: characters.count - 3, by: 4)
    // With state 0.
    let count = groups.reduce(1) { $0 + Int(value(at: $1) >> 11) }
    var targets = [UInt16](repeating: 0, count: 10 * count)
    var labels = [UInt16](repeating: 0, count: count)
    var state = 1
    for place in groups {
      let (mask, value) = (value(at: place), value(at: place + 2))
      if mask & 0x400 != 0 { labels[state] = value }
      var digits = mask & 0x3FF
      while digits != 0 {
        targets[10 * state + digits.trailingZeroBitCount] = value
        digits &= digits &- 1
      }
      if mask & 0x800 != 0 { state += 1 }
    }
    self.targets = targets
    self.labels = labels
  }

  /// Without ends of lines, each as a number from 0 to 90.
  private static func characters(of file: [UInt8]) -> [UInt8] {
    var characters: [UInt8] = []
    characters.reserveCapacity(file.count)
    for line in TextTable.lines(of: file) {
      for byte in line.text { characters.append(byte &- (byte > 92 ? 36 : 35)) }
    }
    return characters
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
