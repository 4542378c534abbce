import Glibc

/// Splits an input into lines.
struct LineReader {
  private let limit: Int
  /// Returns the next bytes, or none at the end of the input.
  private let read: () -> [UInt8]
  private var bytes: [UInt8] = []
  private var isTooLong = false
  private var hasEnded = false

  enum Line: Equatable {
    case text([UInt8])
    case tooLong
  }

  /// `limit` is the most bytes of a line.
  init(limit: Int, read: @escaping () -> [UInt8] = Self.standardInput) {
    self.limit = limit
    self.read = read
  }

  /// The next line that is not blank, without its end; nil at the end of the input.
  mutating func next() -> Line? {
    while true {
      if let end = bytes.firstIndex(of: 0x0A) {
        let line = bytes[..<end]
        bytes = Array(bytes[(end + 1)...])
        if isTooLong || line.count > limit {
          isTooLong = false
          return .tooLong
        }
        if !line.allSatisfy(Self.isBlank) { return .text(Array(line)) }
        continue
      }
      if bytes.count > limit {
        isTooLong = true
        bytes = []
      }
      guard !hasEnded else { return nil }
      let more = read()
      hasEnded = more.isEmpty
      // The last line needs no end.
      bytes += hasEnded ? [0x0A] : more
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  /// Waits for bytes.
  private static func standardInput() -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
      if count >= 0 { return Array(chunk[..<count]) }
      guard errno == EINTR else { return [] }
    }
  }
}
