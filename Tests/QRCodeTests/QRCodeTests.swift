import QRCode
import Testing

@Suite("QR codes")
struct QRCodeTests {
  @Test("a code has the three finder patterns in its corners")
  func finderPatterns() throws {
    let code = try #require(QRCode("https://192.0.2.1:5551/s/demo"))

    for (row, column) in [(0, 0), (0, code.size - 7), (code.size - 7, 0)] {
      for offset in 0..<7 {
        #expect(code.isDark(row: row, column: column + offset))
        #expect(code.isDark(row: row + offset, column: column))
      }
      #expect(!code.isDark(row: row + 1, column: column + 1))
      #expect(code.isDark(row: row + 3, column: column + 3))
    }
  }

  @Test("a code is what libqrencode 4.1.1 makes of the same text")
  func reference() throws {
    let expected = """
      #######......###...##.#######
      #.....#..##..######.#.#.....#
      #.###.#.#...##.#...##.#.###.#
      #.###.#.###...##.###..#.###.#
      #.###.#.##.....#####..#.###.#
      #.....#.####.....#....#.....#
      #######.#.#.#.#.#.#.#.#######
      ........#.##..#.#............
      #.#####..#......##..#.#####..
      .##.##...#.#.###..##.##.#...#
      ...#.##.####.####...#.#.#....
      #...##....##.#.#..#.###.#..#.
      ..#..####.##..##.#..##.#.##..
      .#.##...#..#...##.##..#.#.#.#
      ##....#.####........##....#..
      ..##...######.#.#...####...#.
      ..#..##..#.#....##..##....#..
      ##.###..##..####.###.##.###.#
      #.#..##.#########...#.#..##..
      #.......###..#.#....###.#..#.
      #..####...###.##.#..#####.###
      ........##.##..######...#####
      #######..#.##....#.##.#.###..
      #.....#.#.....#.#...#...#..#.
      #.###.#.#..#....#.#.#######.#
      #.###.#.#..##.##.##.##.#.....
      #.###.#.####.#####..#.#.##.#.
      #.....#..#.#...#.#####.##..#.
      #######.###..#.#.........##..
      """
    let code = try #require(QRCode("http://192.0.2.1:5550/s/demo"))

    let rows = (0..<code.size).map { row in
      String((0..<code.size).map { code.isDark(row: row, column: $0) ? "#" : "." })
    }
    #expect(rows.joined(separator: "\n") == expected)
  }

  @Test("a code with version, several blocks and alignment patterns")
  func largeReference() throws {
    let code = try #require(QRCode(String(repeating: "0123456789", count: 20)))

    #expect(code.size == 57)
    let dark = (0..<code.size).flatMap { row in
      (0..<code.size).filter { code.isDark(row: row, column: $0) }.map { row * code.size + $0 }
    }
    #expect(dark.reduce(0) { ($0 * 31 + $1) % 1_000_003 } == 149_270)
  }

  @Test("longer text gives a larger code, and too much or no text gives none")
  func sizes() throws {
    #expect(try #require(QRCode("a")).size == 21)
    #expect(try #require(QRCode(String(repeating: "a", count: 100))).size > 21)
    #expect(QRCode(String(repeating: "a", count: 2331)) != nil)
    #expect(QRCode(String(repeating: "a", count: 2332)) == nil)
    #expect(QRCode("") == nil)
  }

  @Test("the image and the terminal's text show every module with a border of four")
  func drawings() throws {
    let code = try #require(QRCode("a"))
    let lines = code.terminalText.split(separator: "\n")

    #expect(code.svg.contains("viewBox=\"0 0 29 29\""))
    #expect(code.svg.contains("M4 4h1v1h-1z"))
    #expect(lines.count == 15)
    #expect(lines.allSatisfy { $0.count == 29 })
    #expect(lines[0].allSatisfy { $0 == "█" })
    #expect(lines[2].dropFirst(4).first == " ")
  }
}
