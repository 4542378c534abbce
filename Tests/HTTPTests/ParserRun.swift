import HTTP

/// The result of parsing some bytes, in comparable form.
struct ParserRun: Equatable {
  /// A request as text: method, target, fields, body.
  var requests: [String] = []
  /// Whether each request asked to keep the connection open.
  var keepAlive: [Bool] = []
  /// How often the parser asked for `100 Continue`.
  var continuations = 0
  /// The bytes after CONNECT.
  var tunnelled: [UInt8]?
  /// The bytes after the first line of HTTP/2's preface.
  var http2: [UInt8]?
  /// The error that ended it.
  var error: MalformedRequest?
  /// True if the bytes end inside a message.
  var isUnfinished = false

  /// Parses the bytes in pieces of these sizes, and the rest in one.
  init(_ bytes: [UInt8], split: [Int] = [], limits: Limits = Limits(), acceptsHTTP2: Bool = false) {
    var parser = RequestParser(limits: limits, authority: "here:5550", acceptsHTTP2: acceptsHTTP2)
    var start = 0
    var part = RequestParser.Part.none
    for size in split + [bytes.count] where error == nil {
      let end = min(bytes.count, start + size)
      if http2 != nil {
        http2?.append(contentsOf: bytes[start..<end])
      } else if tunnelled == nil {
        part = read(Array(bytes[start..<end]), with: &parser, limits: limits)
      } else {
        tunnelled?.append(contentsOf: bytes[start..<end])
      }
      start = end
    }
    isUnfinished = error == nil && part != .none
  }

  private mutating func read(
    _ piece: [UInt8], with parser: inout RequestParser, limits: Limits
  ) -> RequestParser.Part {
    piece.withUnsafeBytes { input in
      var position = 0
      do throws(MalformedRequest) {
        while true {
          let event = try parser.next(in: input, at: &position) { head in
            head.target.path == "/large" ? 2_000_000 : 0
          }
          switch event {
          case .needsMore(let part): return part
          case .continueExpected: continuations += 1
          case .message(let message): take(message)
          case .tunnel(let message):
            take(message)
            tunnelled = Array(input[position...])
            return .none
          case .http2Preface:
            http2 = Array(input[position...])
            return .none
          }
        }
      } catch {
        self.error = error
        return .none
      }
    }
  }

  private mutating func take(_ message: RequestParser.Message) {
    let request = message.request
    let fields = request.headers.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
    let body = String(decoding: request.body, as: UTF8.self)
    requests.append("\(request.method.rawValue) \(request.target.text) [\(fields)] \(body)")
    keepAlive.append(message.keepAlive)
  }
}
