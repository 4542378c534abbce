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

extension Request {
  /// True if the path, the query or the body contains a value.
  func mentions(_ value: String) -> Bool {
    let places = [Array(target.text.utf8), body]
    return places.contains { bytes in
      let text = PercentCoding.decode(bytes, plusIsSpace: false) ?? String(decoding: bytes, as: UTF8.self)
      return text.contains(value)
    }
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
