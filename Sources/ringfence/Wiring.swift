import Carrier
import Catalog
import Control
import Crypto
import Database
import Domain
import HTTP
import Logging
import Loop
import ProviderKit
import Server

/// Puts the strata together: the only file that knows everybody.
///
/// A class because the server asks it, and because it owns what must live as long as the server.
final class Wiring: Application {
  let sandboxes: Sandboxes
  private let database: Database
  private let checkpointer: Checkpointer?
  let dispatcher: Dispatcher
  let log: Logger
  private let bodyLimit = Limits().body
  private let outgoing: HTTPClient.Configuration
  let authority: CertificateAuthority?
  let authorityFolder: String
  let trustFolder: String?
  let tunnels: HostList
  /// What TLS is spoken by, once it was asked for.
  var knownSecurity: TLSContext?
  private var alarm: Timer?
  private var server: Server?
  private var webhooks: WebhookDispatch?
  /// Called after every commit.
  var whenCommitted: () -> Void = {}

  /// Opens the database and makes the routes.
  init(_ setup: Setup, log: Logger) throws {
    self.log = log
    outgoing = setup.outgoing
    authority = setup.authority
    authorityFolder = setup.authorityFolder
    tunnels = setup.tunnels
    trustFolder = setup.trustFolder
    database = try Database(setup.location, durability: setup.durability)
    var settings = Sandboxes.Settings(makeKey: SigningKey.p256, wallClock: Self.wallClock)
    settings.admitsUnknownAccounts = setup.admitsUnknownAccounts
    settings.numbers = setup.numbers
    settings.warn = { log.warning("\($0)") }
    settings.history.span = setup.historySpan ?? settings.history.span
    sandboxes = try Sandboxes(
      in: database, settings: settings, seeds: setup.seeds, hooks: catalog.map { $0.hooks },
      defaultOrigin: setup.origin)
    checkpointer =
      if case .file(let path) = setup.location { try Checkpointer.start(path: path) } else { nil }
    let metrics = Metrics()
    let transport = InProcessTransport()
    let control = ControlAPI(sandboxes, metrics: metrics, transport: transport)
    let owners = catalog.map { $0.owner } + [Carrier.owner, control.owner]
    dispatcher = Dispatcher(sandboxes, owners: owners, metrics: metrics) { log.error("\($0)") }
    transport.dispatcher = dispatcher
    sandboxes.addresses.publicURL = setup.publicURL
  }

  /// Listens, and serves until the server is drained; `ready` is called with the addresses really bound.
  func serve(
    on wanted: Listening, limits: Server.Configuration, ready: (Listening, Server) throws -> Void
  ) throws {
    let loop = EventLoop()
    let server = try Server(loop, application: self, configuration: limits)
    alarm = try Timer(loop) { [unowned self] in wake() }
    let bound = try listen(on: wanted, server)
    sandboxes.addresses.gatewayPort = bound.gateway?.port
    dispatcher.proxyPolicy = proxyPolicy(around: bound)
    self.server = server
    let client = try dispatchWebhooks(on: loop, for: server)
    server.whenDrained = { [unowned self] in
      alarm?.close()
      client.close()
      loop.post { [weak loop] in loop?.stop() }
    }
    setAlarm()
    try ready(bound, server)
    loop.run()
  }

  /// Lets go of the database.
  func close() {
    checkpointer?.stop()
    database.emptyLog()
    database.close()
  }

  // MARK: What the server asks

  func bodyLimit(for head: RequestHead) -> Int {
    dispatcher.bodyLimit(head.method, path: head.target.path, host: head.headers["Host"] ?? "") ?? bodyLimit
  }

  func respond(to request: Request) -> Reply { dispatcher.respond(to: request) }

  func passage(for request: Request) -> ProxyDecision { dispatcher.proxyDecision(for: request) }

  func refusal(_ reason: RequestFailure, for request: Request) -> Response {
    dispatcher.refusal(reason, for: request)
  }

  func noteHandshake(with name: String?, by origin: RequestOrigin, failed why: String) {
    dispatcher.noteHandshake(with: name, by: origin, failed: why)
  }

  func endOfTick() -> Bool {
    webhooks?.prepare()
    do {
      try sandboxes.commit()
    } catch {
      log.error("the tick was not committed: \(error)")
      return false
    }
    database.checkpointIfLarge(limit: Self.logLimit)
    webhooks?.sendReady()
    if sandboxes.hasNewDueTime { setAlarm() }
    whenCommitted()
    return true
  }

  // MARK: Webhooks

  /// Sends from now on what is due, also what an earlier run of the program has left.
  private func dispatchWebhooks(on loop: EventLoop, for server: Server) throws -> HTTPClient {
    let client = try HTTPClient(loop, configuration: outgoing)
    let dispatch = WebhookDispatch(sandboxes, providers: catalog) { [log] in
      log.error("\($0)")
    } send: { url, request, timeout, then in
      client.post(to: url, headers: Headers(request.fields), body: request.body, within: timeout) {
        then($0.result)
      }
    }
    dispatch.whenRecorded = { [weak server] in server?.touch() }
    webhooks = dispatch
    server.touch()
    return client
  }

  // MARK: Due work

  private func wake() {
    do {
      try sandboxes.catchUp()
    } catch {
      log.error("due work failed: \(error)")
    }
    server?.touch()
    setAlarm()
  }

  private func setAlarm() {
    guard let delay = sandboxes.timeToNextDue else {
      alarm?.disarm()
      return
    }
    alarm?.arm(after: min(delay, Self.longestAlarm))
  }

  /// The write-ahead log's size at which the loop sees to it that it begins anew, in bytes.
  private static let logLimit = 8 << 20
  /// Timers count in milliseconds of 64 bits, and clocks are set: a day is long enough.
  private static let longestAlarm = Duration.seconds(86_400)

  private static let wallClock: WallClock = { Timestamp(milliseconds: EventLoop.wallClockMilliseconds()) }
}
