/// Searches texts for a value by Horspool's algorithm, which skips most bytes: texts can be as large as a body.
package struct ByteSearch {
  private let value: [UInt8]
  /// For each byte, how far the search moves on when it is the last one of the window.
  private let steps: [Int]

  package init(for value: String) {
    self.value = Array(value.utf8)
    var steps = [Int](repeating: max(self.value.count, 1), count: 256)
    for (index, byte) in self.value.enumerated().dropLast() {
      steps[Int(byte)] = self.value.count - 1 - index
    }
    self.steps = steps
  }

  package func isFound(in text: [UInt8]) -> Bool {
    var end = value.count
    while end <= text.count {
      if text[(end - value.count)..<end].elementsEqual(value) { return true }
      end += steps[Int(text[end - 1])]
    }
    return false
  }
}
