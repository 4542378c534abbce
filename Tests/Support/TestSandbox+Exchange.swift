import Control
package import Domain
package import HTTP

extension TestSandbox {
  /// Sends one request through the dispatcher, as if it had come over a socket.
  package func send(_ request: Request) throws -> Exchange {
    let before = newest
    let response = try answer(request)
    let written = newest.first { $0.value.ordinal != before[$0.key]?.ordinal }?.value
    let journal = written.map {
      Exchange.JournalEntry(why: $0.why, change: $0.change, unread: $0.unread, nearest: $0.nearest)
    }
    let (owner, route) = place(of: request)
    return Exchange(request, response, owner: owner, route: route, journal: journal ?? .init())
  }

  package var router: Router<Sandbox> { dispatcher.router }

  /// Every route of every owner, by owner and name.
  package var routes: [RouteEntry] {
    dispatcher.router.owners.flatMap { owner in
      owner.routes.map {
        RouteEntry(
          owner: owner.name, name: $0.name, method: $0.method.rawValue, path: $0.pattern.description,
          isMounted: $0.handler != nil)
      }
    }
  }

  /// The newest entry of each sandbox's journal.
  private var newest: [String: Journal.Exchange] {
    sandboxes.all.reduce(into: [:]) { $0[$1.name] = $1.journal.last }
  }

  private func place(of request: Request) -> (owner: String, route: String?) {
    var path = request.target.path
    if path.hasPrefix("/s/") {
      let rest = path.dropFirst(3).drop { $0 != "/" }
      path = rest.isEmpty ? "/" : String(rest)
    }
    switch dispatcher.router.find(request.method, path, host: request.host).outcome {
    case .found(let route, let owner, _): return (owner.name, route.name)
    case .failed(_, let owner): return (owner.name, nil)
    case .unowned: return ("", nil)
    }
  }
}

/// A row of the coverage table.
package struct RouteEntry: Sendable {
  /// A provider's name, or `control`.
  package let owner: String
  /// The operation's name.
  package let name: String
  /// `POST`
  package let method: String
  /// `/v2/Services/{service}`
  package let path: String
  /// True if it has a handler.
  package let isMounted: Bool
}
