import HTTP

/// The messages and the output of a socket as comparable text.
private func result(of bytes: UnsafeRawBufferPointer, in pieces: [Range<Int>], frameLimit: Int) -> String {
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
  for piece in pieces {
    var rest = UnsafeRawBufferPointer(rebasing: bytes[piece])
    while !rest.isEmpty, framing.acceptsInput {
      let read = framing.receive(rest, frameLimit: frameLimit)
      framing.appendOutput(to: &output)
      precondition(read.bytes > 0 && read.frames - 256 <= frameLimit, "the limits hold")
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(read.bytes))
    }
  }
  return text + "\(output) \(framing.acceptsInput) \(framing.hasReceivedClose)"
}

/// The bytes of a client. The result does not depend on how they are split.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebSocket(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: data, count: size)
  let whole = result(of: bytes, in: [0..<size], frameLimit: .max)
  let middle = size == 0 ? 0 : Int(bytes[0]) % size
  let halves = result(of: bytes, in: [0..<middle, middle..<size], frameLimit: 1)
  let single = size > 4096 ? whole : result(of: bytes, in: (0..<size).map { $0..<($0 + 1) }, frameLimit: .max)
  precondition(whole == halves, "split at \(middle): \(whole) or \(halves)")
  precondition(whole == single, "byte by byte: \(whole) or \(single)")
  return 0
}
