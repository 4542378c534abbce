extension RequestParser {
  /// Judges every whole line of the input; true when the empty one was reached.
  ///
  /// A head that lies in one piece is read where it is; only one that comes in pieces is copied first.
  mutating func readLines(
    _ input: UnsafeRawBufferPointer, _ position: inout Int
  ) throws(MalformedRequest) -> Bool {
    guard carried.isEmpty, let base = input.baseAddress else { return try readCarriedLines(input, &position) }
    let start = position
    while let end = Self.lineEnd(input, from: position) {
      let isLast = try judge(base + start, from: position - start, to: end - start)
      position = end
      if isLast { return true }
    }
    judged = position - start
    carried.append(contentsOf: input[start...])
    position = input.count
    try checkUnfinishedLine(carried.count)
    return false
  }

  private mutating func readCarriedLines(
    _ input: UnsafeRawBufferPointer, _ position: inout Int
  ) throws(MalformedRequest) -> Bool {
    var lines: [UInt8] = []
    swap(&lines, &carried)
    while let end = Self.lineEnd(input, from: position) {
      lines.append(contentsOf: input[position..<end])
      position = end
      let isLast = try lines.withUnsafeBufferPointer { bytes throws(MalformedRequest) in
        guard let base = bytes.baseAddress else { return false }
        return try judge(base, from: judged, to: bytes.count)
      }
      judged = lines.count
      if isLast { return true }
    }
    lines.append(contentsOf: input[position...])
    position = input.count
    try checkUnfinishedLine(lines.count)
    swap(&lines, &carried)
    return false
  }

  /// The index behind the next LF. Eight bytes at a time: bytes of a head are looked at here first.
  private static func lineEnd(_ input: UnsafeRawBufferPointer, from position: Int) -> Int? {
    var index = position
    while index + 8 <= input.count {
      let word = input.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
      let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
      if zeros != 0 { return index + UInt64(littleEndian: zeros).trailingZeroBitCount / 8 + 1 }
      index += 8
    }
    while index < input.count {
      if input[index] == 0x0A { return index + 1 }
      index += 1
    }
    return nil
  }

  /// A line may not be longer than its limit even before its end is known.
  private func checkUnfinishedLine(_ count: Int) throws(MalformedRequest) {
    if phase == .head, lineLength == 0, count > longestRequestLine { throw .targetTooLong }
    guard count <= limits.head else { throw .headTooLarge }
  }

  private var longestRequestLine: Int { limits.target + 64 }

  /// Judges one line of a head or of trailers; true when it is the empty line that ends them.
  private mutating func judge(
    _ base: UnsafeRawPointer, from start: Int, to end: Int
  ) throws(MalformedRequest) -> Bool {
    let isRequestLine = phase == .head && lineLength == 0
    if isRequestLine, end > longestRequestLine { throw .targetTooLong }
    guard end <= limits.head else { throw .headTooLarge }
    let bytes = UnsafeRawBufferPointer(start: base + start, count: end - start)
    guard bytes.count >= 2, bytes[bytes.count - 2] == 0x0D else { throw .bareLineFeed }
    if isRequestLine {
      line = try Self.requestLine(UnsafeRawBufferPointer(rebasing: bytes.dropLast(2)), limits: limits)
      lineLength = end
    } else if bytes[0] == 0x20 || bytes[0] == 0x09 {
      throw .foldedLine
    } else if bytes[0] == UInt8(ascii: ":") {
      throw .fieldInvalid
    }
    let isLast = bytes.count == 2
    machine.pointee.origin = base + lineLength
    try Machine.read(line: bytes, endsSection: isLast, machine)
    guard machine.pointee.fields.count <= limits.fieldCount else { throw .tooManyFields }
    if isLast, phase == .head {
      try endHead(lines: UnsafeRawBufferPointer(start: base + lineLength, count: end - 2 - lineLength))
    }
    return isLast
  }
}
