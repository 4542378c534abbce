import Testing

@testable import ringfence

/// The lines of an input that comes in these pieces; nil stands for one that is too long.
private func lines(_ pieces: String..., limit: Int = 8) -> [String?] {
  var rest = pieces[...]
  var reader = LineReader(limit: limit) { Array((rest.popFirst() ?? "").utf8) }
  var found: [String?] = []
  while let line = reader.next() {
    if case .text(let bytes) = line {
      found.append(String(decoding: bytes, as: UTF8.self))
    } else {
      found.append(nil)
    }
  }
  return found
}

@Suite("Command · lines of standard input")
struct LineReaderTests {
  @Test("lines come whole, wherever the pieces end")
  func pieces() {
    #expect(lines("one\ntwo\n") == ["one", "two"])
    #expect(lines("o", "ne\nt", "wo", "\n") == ["one", "two"])
    #expect(lines("one\r\n") == ["one\r"])
  }

  @Test("empty lines are skipped, and the last one needs no end")
  func ends() {
    #expect(lines() == [])
    #expect(lines("\n \n\r\none\n\n") == ["one"])
    #expect(lines("one\ntwo") == ["one", "two"])
  }

  @Test("a line that is too long is one error, and the next one is read")
  func tooLong() {
    #expect(lines("123456789\none\n") == [nil, "one"])
    #expect(lines("12345678\n") == ["12345678"])
    #expect(lines("1234567890", "1234567890", "12\none\n") == [nil, "one"])
    #expect(lines("1234567890", "1234567890") == [nil])
  }
}
