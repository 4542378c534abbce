import HTTP
import Loop
import Server
import Wire

/// A client whose loop has its own thread.
///
/// `@unchecked Sendable`: the client is only used on the loop's thread.
final class TestHTTPClient: @unchecked Sendable {
  private let thread: LoopThread
  private let box = Box()

  private final class Box: @unchecked Sendable {
    var client: HTTPClient?
  }

  init(_ configuration: HTTPClient.Configuration = HTTPClient.Configuration()) throws {
    let box = box
    thread = try LoopThread { loop in
      let client = try HTTPClient(loop, configuration: configuration)
      box.client = client
      // Keeps the loop alive between two requests.
      let pulse = try Timer(loop) {}
      pulse.arm(after: .seconds(3600))
      return (client, pulse)
    }
  }

  /// Starts a POST. `before` runs in the same turn of the loop.
  func post(
    _ url: String, _ body: String = "{}", headers: Headers = [:], within limits: HTTPClient.Timeouts? = nil,
    after before: @escaping @Sendable () -> Void = {}
  ) -> Promise<HTTPClient.Outcome> {
    let (pending, box) = (Promise<HTTPClient.Outcome>(), box)
    thread.post {
      before()
      box.client?.send(.post, to: url, headers: headers, body: Array(body.utf8), within: limits) {
        pending.keep($0)
      }
    }
    return pending
  }

  /// Closes the client.
  func close() {
    let box = box
    thread.sync { box.client?.close() }
  }
}

/// The defaults with these changes.
func asking(_ change: (inout HTTPClient.Configuration) -> Void) -> HTTPClient.Configuration {
  var configuration = HTTPClient.Configuration()
  change(&configuration)
  return configuration
}

extension HTTPClient.Outcome? {
  /// `200 body`, `unreachable: why`, `failed: why`, `denied: why`, or `late`.
  var line: String {
    switch self {
    case .answered(let response): "\(response.status.code) \(String(decoding: response.body, as: UTF8.self))"
    case .unreachable(let reason): "unreachable: \(reason)"
    case .failed(let reason): "failed: \(reason)"
    case .denied(let reason): "denied: \(reason)"
    case nil: "late"
    }
  }
}
