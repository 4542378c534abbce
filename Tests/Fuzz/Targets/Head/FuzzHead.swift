import HTTP

/// What a connection's bytes amount to, as text that can be compared; behind CONNECT, how many belong to its tunnel.
private func verdicts(of bytes: UnsafeRawBufferPointer, in pieces: [Range<Int>]) -> [String] {
  var parser = RequestParser(limits: Limits(), scheme: "http", peer: "", authority: "")
  var verdicts: [String] = []
  for (number, piece) in pieces.enumerated() {
    let input = UnsafeRawBufferPointer(rebasing: bytes[piece])
    var position = 0
    do throws(MalformedRequest) {
      reading: while true {
        switch try parser.next(in: input, at: &position, bodyLimit: { _ in 1 << 16 }) {
        case .needsMore: break reading
        case .continueExpected: verdicts.append("continue")
        case .message(let message): verdicts.append(text(of: message))
        case .tunnel(let message):
          let rest = input.count - position + pieces[(number + 1)...].reduce(0) { $0 + $1.count }
          return verdicts + [text(of: message), "tunnel \(rest)"]
        }
      }
    } catch {
      return verdicts + ["\(error)"]
    }
  }
  return verdicts
}

private func text(of message: RequestParser.Message) -> String {
  let request = message.request
  return "\(request.method) \(request.target) \(request.headers.pairs) \(request.body) \(message.persists)"
}

/// Bytes of a connection: whatever they are, the verdict does not depend on how they were split.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHead(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: data, count: size)
  let whole = verdicts(of: bytes, in: [0..<size])
  let middle = size == 0 ? 0 : Int(bytes[0]) % size
  let halves = verdicts(of: bytes, in: [0..<middle, middle..<size])
  let single = size > 4096 ? whole : verdicts(of: bytes, in: (0..<size).map { $0..<($0 + 1) })
  precondition(whole == halves, "split at \(middle): \(whole) or \(halves)")
  precondition(whole == single, "byte by byte: \(whole) or \(single)")
  return 0
}
