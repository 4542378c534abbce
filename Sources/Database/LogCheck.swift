internal import Glibc

/// Finds a write-ahead log that has lost commits. SQLite would take what comes before the first damaged page
/// for all of it, without a word.
///
/// It only reads: an open connection would replace the index of the log by that of what is left.
///
/// Sources: sqlite.org/walformat.html; sqlite.org/fileformat2.html, 4.
package enum LogCheck {
  /// What is wrong with the log of a database that is not open; nil: nothing. `knowsIndex`: the process that
  /// had it open was killed, and the machine has run since, so that the index `-shm` is that of its last
  /// commit.
  package static func problem(ofDatabase path: String, knowsIndex: Bool) -> String? {
    guard let file = fopen("\(path)-wal", "rb") else {
      return errno == ENOENT ? "missing" : String(cString: strerror(errno))
    }
    defer { fclose(file) }
    let index = knowsIndex ? Index(path: "\(path)-shm") : nil
    guard index?.pages != 0 else { return nil }
    guard let header = read(Header.size, of: file), let log = Header(header) else {
      return "damaged: its header is wrong"
    }
    // All of it was moved into the database before the header was broken: see `LogRestart`.
    if log.isBroken { return nil }
    guard log.hasRightSum else { return "damaged: its header is wrong" }
    guard let index else { return nil }
    guard index.salts == log.salts else { return "damaged: it is older or newer than its index" }
    var sum = log.sum
    for page in 0..<index.pages {
      guard let frame = read(Frame.headSize + log.pageBytes, of: file),
        Frame.isRight(frame, of: log, &sum)
      else { return "damaged: only \(page) of its \(index.pages) pages are left" }
    }
    return nil
  }

  private static func read(_ count: Int, of file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return fread(&bytes, 1, count, file) == count ? bytes : nil
  }

  /// Two sums of all words so far.
  private struct Sum: Equatable {
    var first: UInt32 = 0
    var second: UInt32 = 0

    mutating func add(_ bytes: [UInt8], _ range: Range<Int>, isBigEndian: Bool) {
      bytes.withUnsafeBytes { bytes in
        for offset in stride(from: range.lowerBound, to: range.upperBound - 7, by: 8) {
          let pair = (
            bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
            bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          )
          first &+= (isBigEndian ? UInt32(bigEndian: pair.0) : UInt32(littleEndian: pair.0)) &+ second
          second &+= (isBigEndian ? UInt32(bigEndian: pair.1) : UInt32(littleEndian: pair.1)) &+ first
        }
      }
    }
  }

  /// The first 32 bytes of a log.
  private struct Header {
    static let size = 32
    /// Those of `LogFile`, without the bit for the byte order of sums.
    private static let mark: UInt32 = 0x377f_0682

    let isBroken: Bool
    let isBigEndian: Bool
    let pageBytes: Int
    let salts: [UInt8]
    let sum: Sum
    let hasRightSum: Bool

    /// Nil for other bytes.
    init?(_ bytes: [UInt8]) {
      let first = bytes.word(0)
      isBroken = ~first | 1 == Self.mark | 1
      guard isBroken || first | 1 == Self.mark | 1 else { return nil }
      isBigEndian = first & 1 == 1
      pageBytes = Int(bytes.word(8))
      salts = Array(bytes[16..<24])
      var sum = Sum()
      sum.add(bytes, 0..<24, isBigEndian: isBigEndian)
      self.sum = sum
      hasRightSum = sum == Sum(first: bytes.word(24), second: bytes.word(28)) && pageBytes <= 65_536
    }
  }

  private enum Frame {
    static let headSize = 24

    static func isRight(_ bytes: [UInt8], of log: Header, _ sum: inout Sum) -> Bool {
      sum.add(bytes, 0..<8, isBigEndian: log.isBigEndian)
      sum.add(bytes, headSize..<bytes.count, isBigEndian: log.isBigEndian)
      return bytes[8..<16].elementsEqual(log.salts)
        && sum == Sum(first: bytes.word(16), second: bytes.word(20))
    }
  }

  /// The first header in the index, which is the one that is written last.
  private struct Index {
    private static let size = 48

    /// In the log, up to the last commit.
    let pages: Int
    let salts: [UInt8]

    /// Nil without an index, or if the process was killed while it wrote both headers.
    init?(path: String) {
      guard let file = fopen(path, "rb") else { return nil }
      defer { fclose(file) }
      guard let bytes = LogCheck.read(2 * Self.size, of: file),
        bytes[..<Self.size] == bytes[Self.size...], bytes[12] == 1
      else { return nil }
      // In the byte order of the machine, but for the salts.
      pages = Int(UInt32(bigEndian: bytes.word(16)))
      salts = Array(bytes[32..<40])
    }
  }
}

extension [UInt8] {
  /// Four bytes, the highest first.
  fileprivate func word(_ offset: Int) -> UInt32 {
    self[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
