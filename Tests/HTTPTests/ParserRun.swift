import HTTP

/// What a parser made of some bytes, in a form that compares.
struct ParserRun: Equatable {
  /// A request as text: method, target, fields, body.
  var requests: [String] = []
  /// Whether each client wanted to go on.
  var persists: [Bool] = []
  /// How often `100 Continue` was due.
  var continuations = 0
  /// What followed a request for a tunnel, and belongs to it.
  var tunnelled: [UInt8]?
  /// The refusal that ended it.
  var refusal: MalformedRequest?
  /// Whether the bytes end inside a message.
  var isUnfinished = false

  /// Feeds the bytes in pieces of these sizes; the rest in one.
  init(_ bytes: [UInt8], split: [Int] = [], limits: Limits = Limits()) {
    var parser = RequestParser(limits: limits, authority: "here:5550")
    var start = 0
    var part = RequestParser.Part.none
    for size in split + [bytes.count] where refusal == nil {
      let end = min(bytes.count, start + size)
      if tunnelled == nil {
        part = read(Array(bytes[start..<end]), with: &parser, limits: limits)
      } else {
        tunnelled?.append(contentsOf: bytes[start..<end])
      }
      start = end
    }
    isUnfinished = refusal == nil && part != .none
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
          }
        }
      } catch {
        refusal = error
        return .none
      }
    }
  }

  private mutating func take(_ message: RequestParser.Message) {
    let request = message.request
    let fields = request.headers.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
    let body = String(decoding: request.body, as: UTF8.self)
    requests.append("\(request.method.rawValue) \(request.target.text) [\(fields)] \(body)")
    persists.append(message.persists)
  }
}
