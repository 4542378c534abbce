extension Request {
  /// Parses bytes that are exactly one request, with the checks of those that clients send.
  package init(
    parsing bytes: [UInt8], scheme: String, peer: String, bodyLimit: (RequestHead) -> Int
  ) throws(MalformedRequest) {
    var parser = RequestParser(scheme: scheme, peer: peer)
    var position = 0
    let event = try bytes.withUnsafeBytes { input in
      Result { () throws(MalformedRequest) in
        try parser.next(in: input, at: &position, bodyLimit: bodyLimit)
      }
    }.get()
    guard case .message(let message) = event, position == bytes.count else { throw .requestLineShape }
    self = message.request
  }
}
