import Domain
import HTTP

extension Fault {
  /// True if the fault answers in place of the handler.
  var replacesHandler: Bool { status != nil || code != nil }

  var failure: RequestFailure { .fault(status: status.flatMap { Status($0) }, code: code) }

  /// Delays a reply by the fault's latency.
  func delay(_ reply: Reply) -> Reply {
    guard let latency, case .now(let response) = reply else { return reply }
    return .after(latency, response)
  }

  func damaging(_ response: Response) -> Response {
    var response = response
    if let retryAfter, response.headers["Retry-After"] == nil {
      response.headers.add("Retry-After", String(retryAfter))
    }
    switch damage {
    case .reset: response.transport = .reset
    case .truncate: response.transport = .truncated(after: response.body.count / 2)
    case .garble: response.body = Array("<html>garbled".utf8)
    case nil: break
    }
    return response
  }
}

/// The texts of a request in which faults look for numbers. Decoded once, and only if a fault has a number.
struct SearchableText {
  private let texts: [[UInt8]]

  /// Path with query, and body; without percent-encoding where that is possible.
  init(of request: Request) {
    texts = [Array(request.target.text.utf8), request.body].map { bytes in
      PercentCoding.decode(bytes, plusIsSpace: false).map { Array($0.utf8) } ?? bytes
    }
  }

  func contains(_ value: String) -> Bool {
    let search = ByteSearch(for: value)
    return texts.contains { search.isFound(in: $0) }
  }
}

/// The `Date` field, formatted once a second.
struct DateField {
  private var second = Int64.min
  private var line: Headers = [:]

  mutating func line(of time: Timestamp) -> Headers {
    let now = time.milliseconds / 1000
    if now != second { (second, line) = (now, ["Date": time.httpDate]) }
    return line
  }
}
