import Carrier
import Domain
package import HTTP

/// What every answer gets on its way out: headers, damage, a line in the journal, a count.
extension Dispatcher {
  /// What is noted about a request while it is answered.
  ///
  /// A class because an answer that waits is concluded long after its handler returned.
  final class Note {
    var why: String?
    var nearest: [String] = []
    var fault: Fault?
  }

  /// Concludes a reply now, or when it has an answer.
  func conclude(
    _ reply: Reply, _ request: Request, _ outcome: Router<Sandbox>.Outcome, _ sandbox: Sandbox, _ note: Note
  ) -> Reply {
    switch reply {
    case .now(let response):
      return .now(conclude(response, request, outcome, sandbox, note))
    case .after(let delay, let response):
      let (due, name) = (sandbox.clock.now + delay, sandbox.name)
      var reply = PendingReply(for: .seconds(86_400)) { [self] in
        // Found anew by its name: it may have been reset, and the old one's clock stands still.
        (sandboxes[name] ?? sandbox).clock.now >= due
          ? conclude(response, request, outcome, sandbox, note) : nil
      } onTimeout: { [self] in
        conclude(response, request, outcome, sandbox, note)
      }
      reply.delay = delay
      return .pending(reply)
    case .pending(let reply):
      return .pending(
        PendingReply(for: reply.timeout) { [self] in
          try reply.answer().map { conclude($0, request, outcome, sandbox, note) }
        } onTimeout: { [self] in
          conclude(try reply.onTimeout(), request, outcome, sandbox, note)
        })
    }
  }

  /// The answer as it leaves, written down.
  func conclude(
    _ response: Response, _ request: Request, _ outcome: Router<Sandbox>.Outcome, _ sandbox: Sandbox,
    _ note: Note
  ) -> Response {
    let (owner, route) = (outcome.owner, outcome.route)
    var response = finish(response, by: owner, sandbox)
    if let fault = note.fault { response = fault.damaging(response) }
    metrics.count(owner, route, status: response.status)
    if owner?.name != ControlAPI.name {
      let unread = response.status.code < 300 ? request.unreadEverywhere : request.inputs.unread
      sandbox.journal.record(
        Journal.Exchange(
          at: sandbox.clock.now, owner: owner?.name ?? "", route: route?.name,
          method: request.method.rawValue,
          target: request.prefix + request.target.text, requestHead: request.headers.bytes,
          requestBody: request.body, status: response.status.code, responseHead: response.headers.bytes,
          responseBody: response.body, why: note.why ?? response.remark, unread: unread, nearest: note.nearest
        ))
    }
    return response
  }

  /// Writes down a TLS handshake that failed: nothing was asked, so it has no request but the name.
  package func recordTLSFailure(serverName name: String?, from origin: RequestOrigin, reason: String) {
    let user = origin.authorization.flatMap { ProxyUser($0) }?.sandbox
    let sandbox = user.flatMap { sandboxes[$0] } ?? sandboxes.defaultSandbox
    let asked = name.map { "; the client asked for \($0)" } ?? "; the client asked for no name"
    sandbox.journal.record(
      Journal.Exchange(
        at: sandbox.clock.now, owner: "", route: nil, method: "TLS", target: name ?? "", requestHead: [],
        requestBody: [], status: 0, responseHead: [], responseBody: [], why: reason + asked, unread: [],
        nearest: []))
  }

  /// Puts on the fields that every answer has, and those of its owner.
  func finish(_ response: Response, by owner: RouteOwner<Sandbox>?, _ sandbox: Sandbox) -> Response {
    var response = response
    response.headers.reserve(640, fields: 10)
    response.headers.append(date.line(of: sandbox.clock.now))
    owner?.addCommonHeaders(&response.headers, sandbox)
    return response
  }
}

/// The `Date` field, made anew once a second.
struct DateField {
  private var second = Int64.min
  private var line: Headers = [:]

  mutating func line(of time: Timestamp) -> Headers {
    let now = time.milliseconds / 1000
    if now != second { (second, line) = (now, ["Date": time.httpDate]) }
    return line
  }
}

extension Request {
  /// Whether the request carries a value in its path, its query or its body.
  func mentions(_ value: String) -> Bool {
    let places = [Array(target.text.utf8), body]
    return places.contains { bytes in
      let text = PercentCoding.decode(bytes, plusIsSpace: false) ?? String(decoding: bytes, as: UTF8.self)
      return text.contains(value)
    }
  }

  /// Names of what the client sent and no handler read, a query that nobody looked at included.
  var unreadEverywhere: [String] {
    if !target.query.isEmpty { _ = try? query }
    return inputs.unread
  }
}
