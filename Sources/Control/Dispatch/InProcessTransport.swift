import Carrier
import Domain
import HTTP
import JSON

/// Connects virtual handsets to the dispatcher within the process, without a socket.
///
/// A class because the control API needs it before the dispatcher, which contains that API, exists.
package final class InProcessTransport {
  /// Set once, when the process is put together.
  package weak var dispatcher: Dispatcher?

  package init() {}

  /// Walks to the end, within these origins and the hosts that the proxy serves itself. Delays of answers count, but
  /// nobody waits for them.
  func walk(_ walk: Walk, from url: String, within origins: [String]) -> WalkResult {
    var (walk, result) = (walk, WalkResult())
    var step = walk.start(at: url)
    while case .request(let request) = step {
      guard origins.contains(request.url.origin) || isOwnHost(of: request.url) else {
        result.ending = .failure("\(request.url.origin) is not this sandbox; use: ringfence open URL")
        return result
      }
      guard let (response, delay) = answer(to: request, within: walk.timeLeft) else {
        step = walk.timeOut()
        break
      }
      result.hops.append(WalkResult.Hop(url: request.url.description, status: response.status.code))
      step = walk.next(after: response, delay: delay)
    }
    if case .end(let ending) = step { result.ending = ending }
    return result
  }

  /// The answer to an app's request; nil for one that comes later.
  func answer(to request: Request) -> Response? {
    if case .now(let response) = connectedDispatcher.respond(to: request) { response } else { nil }
  }

  private var connectedDispatcher: Dispatcher {
    guard let dispatcher else { preconditionFailure("the transport has no dispatcher") }
    return dispatcher
  }

  private func isOwnHost(of url: AbsoluteURL) -> Bool {
    dispatcher?.proxyPolicy.access(to: Authority(host: url.host, port: url.port)) == .local
  }

  private func answer(to hop: Walk.HopRequest, within timeout: Duration) -> (Response, Duration)? {
    let request = Request(
      .get, Target(hop.url.target), headers: hop.headers, scheme: hop.url.isSecure ? "https" : "http")
    switch connectedDispatcher.respond(to: request) {
    case .now(let response), .streamed(let response, _): return (response, .zero)
    case .after(let delay, let response): return delay <= timeout ? (response, delay) : nil
    case .pending(let pending):
      guard let delay = pending.delay, delay <= timeout, let response = try? pending.onTimeout() else {
        return nil
      }
      return (response, delay)
    // A handset's request never asks for one.
    case .webSocket: return nil
    }
  }
}

/// The hops of a silent chain, and how it ended.
struct WalkResult: Sendable {
  struct Hop: Sendable {
    let url: String
    let status: Int
  }

  private enum EndingKind: String, CaseIterable { case code, text, failure }

  var hops: [Hop] = []
  var ending = Walk.Ending.failure("timed out")

  static let schema = Schema<WalkResult>(
    "WalkResult", "The hops of a silent chain, and how it ended.",
    [
      .readOnly("ending", .word, "How the chain ended.") { result -> EndingKind in
        switch result.ending {
        case .code: .code
        case .text: .text
        case .failure: .failure
        }
      },
      .readOnlyIfPresent("code", .string, "The code for the app's back end.") {
        if case .code(let code) = $0.ending { code } else { nil }
      },
      .readOnlyIfPresent("text", .string, "The text of the last answer.") {
        if case .text(let text) = $0.ending { text } else { nil }
      },
      .readOnlyIfPresent("reason", .string, "Why the chain failed.") {
        if case .failure(let reason) = $0.ending { reason } else { nil }
      },
      .readOnly("hops", .objects(hop), "The requests, in order.") { $0.hops },
    ])

  private static let hop = Schema<Hop>(
    nil, "",
    [
      .readOnly("url", .string, "The URL.") { $0.url },
      .readOnly("status", .integer, "The status of the answer.") { $0.status },
    ])
}
