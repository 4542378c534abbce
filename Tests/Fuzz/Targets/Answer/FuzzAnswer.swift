import HTTP

/// The parsed response as comparable text.
private func result(of bytes: UnsafeRawBufferPointer, in pieces: [Range<Int>]) -> String {
  var limits = Limits()
  limits.body = 64
  limits.fieldCount = 8
  var parser = ResponseParser(limits: limits)
  do throws(MalformedResponse) {
    for piece in pieces {
      let input = UnsafeRawBufferPointer(rebasing: bytes[piece])
      if let answer = try parser.read(input) { return text(answer) }
    }
    return try parser.finish().map(text) ?? "nothing"
  } catch {
    return error.description
  }
}

private func text(_ answer: Response) -> String {
  precondition(answer.body.count <= 64 && answer.headers.count <= 8, "the limits hold")
  return "\(answer.status.code) \(answer.headers.pairs) \(answer.body)"
}

/// The bytes of a response. The result does not depend on how they are split.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAnswer(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: data, count: size)
  let whole = result(of: bytes, in: [0..<size])
  let middle = size == 0 ? 0 : Int(bytes[0]) % size
  let halves = result(of: bytes, in: [0..<middle, middle..<size])
  let single = size > 4096 ? whole : result(of: bytes, in: (0..<size).map { $0..<($0 + 1) })
  precondition(whole == halves, "split at \(middle): \(whole) or \(halves)")
  precondition(whole == single, "byte by byte: \(whole) or \(single)")
  return 0
}
