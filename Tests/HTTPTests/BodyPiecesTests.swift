import HTTP
import Testing

/// Issue 45, B: what takes long goes on in pieces.
@Suite("HTTP · bodies in pieces")
struct BodyPiecesTests {
  /// Nil at the end.
  private func body(_ pieces: [UInt8]?...) -> BodyPieces {
    var rest = pieces[...]
    return BodyPieces { rest.popFirst() ?? nil }
  }

  @Test("one call of next takes one step when the time is up, and several while there is time")
  func steps() throws {
    let slow = body([1], [], [2, 3], [4])
    #expect(try slow.next(size: 100, until: { true }) == .bytes([1]))
    #expect(try slow.next(size: 100, until: { true }) == .later)
    #expect(try slow.next(size: 100, until: { true }) == .bytes([2, 3]))
    #expect(try slow.next(size: 100) == .bytes([4]))
    #expect(try slow.next(size: 100) == .end)

    let quick = body([1], [], [2, 3], [4])
    #expect(try quick.next(size: 3) == .bytes([1, 2, 3]))
    #expect(try quick.next(size: 3) == .bytes([4]))
    #expect(try quick.next(size: 3) == .end)
  }

  @Test("a small body is whole at once; of others, nothing is lost")
  func whole() throws {
    #expect(try body([1], [], [2]).whole(upTo: 2, until: { false }) == [1, 2])

    let large = body([1], [2], [3], [4])
    #expect(try large.whole(upTo: 2, until: { false }) == nil)
    #expect(try large.collect() == [1, 2, 3, 4])

    let slow = body([1], [2])
    #expect(try slow.whole(upTo: 2, until: { true }) == nil)
    #expect(try slow.collect() == [1, 2])
  }

  @Test("a body is transformed a few bytes at a time, however large its pieces are")
  func mapped() throws {
    var sizes: [Int?] = []
    let mapped = BodyPieces([UInt8](repeating: 7, count: 1 << 20)).mapped { bytes in
      sizes.append(bytes?.count)
      return bytes ?? [9]
    }

    #expect(try mapped.next(size: 1) == .bytes([UInt8](repeating: 7, count: 1 << 15)))
    let rest = try mapped.collect()

    #expect(rest.count == (1 << 20) - (1 << 15) + 1 && rest.last == 9)
    #expect(sizes.compactMap(\.self).allSatisfy { $0 == 1 << 15 } && sizes.last == .some(nil))
  }

  @Test("work without a result stays work of one step when it is transformed")
  func mappedWork() throws {
    let mapped = body([], [1], [], [2]).mapped { $0 ?? [] }

    #expect(try mapped.next(size: 1, until: { true }) == .later)
    #expect(try mapped.collect() == [1, 2])
  }
}
