import HTTP

/// The parsed requests as comparable text, and the number of bytes after CONNECT.
private func results(of bytes: UnsafeRawBufferPointer, in pieces: [Range<Int>]) -> [String] {
  var parser = RequestParser(limits: Limits(), scheme: "http", peer: "", authority: "", acceptsHTTP2: true)
  var results: [String] = []
  for (number, piece) in pieces.enumerated() {
    let input = UnsafeRawBufferPointer(rebasing: bytes[piece])
    var position = 0
    func rest(_ position: Int) -> Int {
      input.count - position + pieces[(number + 1)...].reduce(0) { $0 + $1.count }
    }
    do throws(MalformedRequest) {
      reading: while true {
        switch try parser.next(in: input, at: &position, bodyLimit: { _ in 1 << 16 }) {
        case .needsMore: break reading
        case .continueExpected: results.append("continue")
        case .message(let message): results.append(text(of: message))
        case .tunnel(let message): return results + [text(of: message), "tunnel \(rest(position))"]
        case .http2Preface: return results + ["HTTP/2 \(rest(position))"]
        }
      }
    } catch {
      return results + ["\(error)"]
    }
  }
  return results
}

private func text(of message: RequestParser.Message) -> String {
  let request = message.request
  return "\(request.method) \(request.target) \(request.headers.pairs) \(request.body) \(message.keepAlive)"
}

/// The bytes of a connection. The result does not depend on how they are split.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHead(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: data, count: size)
  let whole = results(of: bytes, in: [0..<size])
  let middle = size == 0 ? 0 : Int(bytes[0]) % size
  let halves = results(of: bytes, in: [0..<middle, middle..<size])
  let single = size > 4096 ? whole : results(of: bytes, in: (0..<size).map { $0..<($0 + 1) })
  precondition(whole == halves, "split at \(middle): \(whole) or \(halves)")
  precondition(whole == single, "byte by byte: \(whole) or \(single)")
  return 0
}
