import HTTP

/// The messages of a socket as text, and what it has sent.
private func messages(in bytes: UnsafeRawBufferPointer, split pieces: [Range<Int>], frameLimit: Int) -> String
{
  let framing = WebSocketFraming(messageLimit: 64)
  var (text, output) = ("", [UInt8]())
  framing.onMessage = { message in
    switch message {
    case .text(let bytes):
      precondition(bytes.count <= 64 && String(validating: bytes, as: UTF8.self) != nil, "the limits hold")
      text += "\(bytes) "
      framing.send(bytes)
    case .binary:
      text += "binary "
      framing.close(.unsupportedData)
    }
    framing.appendOutput(to: &output)
  }
  // The handler refers to the framing: without this, neither would be freed.
  defer { framing.onMessage = { _ in } }
  for piece in pieces {
    var rest = UnsafeRawBufferPointer(rebasing: bytes[piece])
    while !rest.isEmpty, framing.acceptsInput {
      let read = framing.receive(rest, frameLimit: frameLimit)
      framing.appendOutput(to: &output)
      precondition(read.bytes > 0 && read.frames - 256 <= frameLimit, "the limits hold")
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(read.bytes))
    }
  }
  return "\(text)\nsent: \(output)"
}

/// The bytes of a client. The messages do not depend on how they are split.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebSocket(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: data, count: size)
  let whole = messages(in: bytes, split: [0..<size], frameLimit: .max)
  let middle = size == 0 ? 0 : Int(bytes[0]) % size
  let halves = messages(in: bytes, split: [0..<middle, middle..<size], frameLimit: 1)
  let single =
    size > 4096 ? whole : messages(in: bytes, split: (0..<size).map { $0..<($0 + 1) }, frameLimit: .max)
  requireEqual(whole, halves, "split at \(middle)")
  requireEqual(whole, single, "byte by byte")
  return 0
}

private func requireEqual(_ one: String, _ other: String, _ how: String) {
  guard one != other else { return }
  // A release build prints no message of a precondition.
  print("whole: \(one)\n\(how): \(other)")
  preconditionFailure("the messages depend on the pieces")
}
