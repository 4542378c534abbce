import JSON
import Testing

@Suite("Safe access")
struct SafeAccessTests {
  @Test("an index outside of a collection has no element", arguments: [Int.min, -1, 2, Int.max])
  func outside(index: Int) {
    #expect([7, 8][safe: index] == nil)
  }

  @Test("an index inside has its element, also in a slice")
  func inside() {
    #expect([7, 8][safe: 1] == 8)
    #expect([7, 8, 9].dropFirst()[safe: 1] == 8)
    #expect([7, 8, 9].dropFirst()[safe: 0] == nil)
  }

  @Test("a range ends at its start where its end would be before it")
  func ranges() {
    #expect(Range(2, upTo: 4) == 2..<4)
    #expect(Range(2, upTo: -4) == 2..<2)
  }
}
