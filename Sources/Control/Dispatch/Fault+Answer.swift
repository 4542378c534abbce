import Domain
import HTTP

extension Fault {
  /// Whether the fault stands in for the handler.
  var answersItself: Bool { status != nil || code != nil }

  /// What the owner is asked to say.
  var reason: RequestFailure { .fault(status: status.flatMap { Status($0) }, code: code) }

  /// The reply, kept back for the fault's latency.
  func delay(_ reply: Reply) -> Reply {
    guard let latency, case .now(let response) = reply else { return reply }
    return .after(latency, response)
  }

  /// The answer with the fault's marks on it.
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
