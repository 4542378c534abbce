import Domain
import HTTP
import JSON

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

extension SearchableText {
  /// Path with query, and body; without percent-encoding where that is possible.
  init(of request: Request) {
    self.init(
      [Array(request.target.text.utf8), request.body].map { bytes in
        PercentCoding.decode(bytes, plusIsSpace: false).map { Array($0.utf8) } ?? bytes
      })
  }
}

/// A misspelt member of a request to what the sandbox defines for devices.
struct MisspeltMember: Error {
  let error: FieldError
}

extension Dispatcher {
  /// Throws if a request to what the sandbox defines for devices has a misspelt member, and was accepted or
  /// refused for its form. The providers' own requests may have such members: the journal lists them.
  func requireNoMisspeltMemberOfDeviceAPI(in request: Request, answeredBy reply: Reply) throws(MisspeltMember)
  {
    guard request.hasPathOfDeviceAPI, case .now(let response) = reply,
      response.status.code < 300 || response.status == 400, let error = request.inputs.misspelt
    else { return }
    throw MisspeltMember(error: error)
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
