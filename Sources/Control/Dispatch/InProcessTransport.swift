import Carrier
import Domain
import HTTP

/// The way on which handsets that are played inside the process reach its routes: no socket, the same dispatcher.
///
/// A class because it is given to the control API before the dispatcher exists, which holds that API.
package final class InProcessTransport {
  /// What answers; set once, by whoever puts the process together.
  package weak var dispatcher: Dispatcher?

  /// A line that leads nowhere yet.
  package init() {}

  /// What came of a walk.
  struct Trip {
    var hops: [(url: String, status: Int)] = []
    var ending = Walk.Ending.failure("timed out")
  }

  /// Walks to the end. Time is spent as answers say, but nobody waits for it.
  func walk(_ walk: Walk, from url: String, within origins: [String]) -> Trip {
    var (walk, trip) = (walk, Trip())
    var step = walk.begin(at: url)
    while case .ask(let ask) = step {
      guard origins.contains(ask.url.origin) else {
        trip.ending = .failure("\(ask.url.origin) is not this sandbox; over sockets: ringfence open URL")
        return trip
      }
      guard let (response, delay) = answer(to: ask, within: walk.timeLeft) else {
        step = walk.giveUp()
        break
      }
      trip.hops.append((ask.url.description, response.status.code))
      step = walk.take(response, after: delay)
    }
    if case .end(let ending) = step { trip.ending = ending }
    return trip
  }

  private func answer(to ask: Walk.Ask, within timeout: Duration) -> (Response, Duration)? {
    guard let dispatcher else { preconditionFailure("the line leads nowhere") }
    let request = Request(
      .get, Target(ask.url.target), headers: ask.headers,
      scheme: ask.url.isSecure ? "https" : "http")
    switch dispatcher.respond(to: request) {
    case .now(let response): return (response, .zero)
    case .after(let delay, let response): return delay <= timeout ? (response, delay) : nil
    case .pending(let reply):
      guard let delay = reply.delay, delay <= timeout, let response = try? reply.onTimeout() else {
        return nil
      }
      return (response, delay)
    }
  }
}
