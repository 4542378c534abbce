import Carrier
import Control
package import ProviderKit

/// A private sandbox within the process, for requests that come one after the other. Nothing leaves it:
/// webhooks are accepted at once.
///
/// A class for its identity: it is the only user of its sandboxes.
package final class ReplayServer {
  let sandboxes: Sandboxes
  private let dispatcher: Dispatcher
  private let transport = InProcessTransport()
  private let webhooks: WebhookDispatch
  private let providers: [any Provider.Type]
  private let sink = Sink()

  /// A class, because closures write to it.
  private final class Sink {
    var problems: [String] = []
  }

  package init(_ sandboxes: Sandboxes, providers: [any Provider.Type]) {
    self.sandboxes = sandboxes
    self.providers = providers
    dispatcher = Dispatcher(
      sandboxes, owners: providers.map { $0.owner } + [Carrier.owner], metrics: Metrics()
    ) { [sink] in
      sink.problems.append($0)
    }
    webhooks = WebhookDispatch(sandboxes, providers: providers) { [sink] in
      sink.problems.append($0)
    } send: { _, _, _, then in
      then(.answered(status: 200, body: ""))
    }
    transport.connect(dispatcher, to: sandboxes)
  }

  /// Errors of ours.
  var problems: [String] { sink.problems }

  var sandbox: Sandbox { sandboxes.defaultSandbox }

  /// The provider's operation for a request; nil for a path that no provider has.
  func operation(for request: Request) -> Operation? {
    let outcome = dispatcher.router.find(request.method, request.target.path, host: request.host).outcome
    guard let owner = outcome.owner, let provider = providers.first(where: { $0.name == owner.name }) else {
      return nil
    }
    var parameters = Parameters()
    if case .found(_, _, let found) = outcome { parameters = found }
    let path =
      outcome.route?.pattern.description
      ?? request.target.path.split(separator: "/", omittingEmptySubsequences: false)
      .map { ValueShape.id($0) == nil ? $0 : "{id}" }.joined(separator: "/")
    return Operation(
      provider: provider, route: outcome.route, path: path, method: request.method, parameters: parameters)
  }

  struct Operation {
    let provider: any Provider.Type
    /// Nil for a path that the provider does not have.
    let route: Route<Sandbox>?
    /// With names instead of ids.
    let path: String
    let method: Method
    let parameters: Parameters

    var isEmulated: Bool { route?.handler != nil }
  }

  /// A long poll ends without a change.
  func answer(to request: Request) throws -> Response {
    let reply = dispatcher.respond(to: request)
    switch reply {
    case .now, .after, .streamed, .webSocket: return try reply.whole ?? Response(500)
    case .pending(let pending): return try pending.answer() ?? pending.onTimeout()
    case .blocked(let blocked): return blocked.onTimeout()
    }
  }

  /// Moves the clock forward, and runs what is due until then.
  func advance(to time: Timestamp?) throws {
    if let time, time > sandbox.clock.now { try sandbox.atomically { try sandbox.set(clockTo: time) } }
    try settle()
  }

  /// Sends webhooks and runs due work until nothing is left.
  func settle() throws {
    repeat {
      webhooks.prepare()
      try sandboxes.commit()
      webhooks.sendReady()
      try sandboxes.catchUp()
      try sandboxes.commit()
    } while sandbox.isBusy || sandbox.clockTarget != nil || sandboxes.hasJobs
      || sandboxes.mayHaveReadyWebhooks
  }
}
