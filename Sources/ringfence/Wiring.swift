import Carrier
import Catalog
import Console
import Control
import Crypto
import Database
import Logging
import Loop
import MCP
import ProviderKit
import Server

/// Connects all modules to a running server.
///
/// A class because the server calls back into it.
final class Wiring: Application {
  let sandboxes: Sandboxes
  var settings: ServerSettings
  private let storage: Storage
  let dispatcher: Dispatcher
  let log: Logger
  /// Nil without a supervisor.
  private let supervised: SupervisedServer?
  private let status: ServerStatus
  private let bodyLimit = Limits().body
  /// The certificate authority, read or created on first use.
  private let authority: () throws -> CertificateAuthority
  /// Created on first use.
  private(set) var tls: TLSContext?
  /// What runs beside requests.
  private var upkeep: Upkeep?
  /// Fires when work is due.
  private var alarm: Timer?
  /// True until due work was tried again.
  private var dueWorkFailed = false
  /// True after the alarm went off, until it is set at the end of the turn.
  private var isAlarmSpent = false
  private var logPasses = LogPasses()
  private var server: Server?
  private var webhooks: WebhookDispatch?
  /// Nil if nobody watches.
  var live: LiveLines? {
    didSet { dispatcher.onExchange = live.map { live in { live.add($0, in: $1) } } }
  }

  /// Opens the database and registers the routes.
  init(_ settings: ServerSettings, supervised: SupervisedServer? = nil, log: Logger) throws {
    self.settings = settings
    self.supervised = supervised
    status = try supervised?.status ?? ServerStatus()
    self.log = log
    var options = Sandboxes.Settings(makeKey: SigningKey.p256, wallClock: Self.wallClock)
    options.acceptsUnknownAccounts = settings.acceptsUnknownAccounts
    options.numbers = settings.numbers
    if let tokens = settings.access.tokens { options.secretSeed = tokens.seed(for:revoked:) }
    options.chaos = { FailureGroup.chaosTable }
    options.failure = { FailureMatch.failure(of: $0, in: $1)?.id }
    options.warn = { log.warning("\($0)") }
    options.retention.maxOrdinals = settings.historySpan ?? options.retention.maxOrdinals
    options.maxSandboxes = settings.maxSandboxes ?? options.maxSandboxes
    options.ttl = settings.sandboxTTL
    options.shard = settings.shard
    options.journalCapacity = settings.journalCapacity ?? options.journalCapacity
    let storage = try Storage(settings.location, durability: settings.durability) { database in
      try Sandboxes(
        in: database, settings: options, seeds: settings.seeds, hooks: catalog.map { $0.hooks },
        defaultConfiguration: settings.origin)
    } report: {
      log.error("\($0)")
    }
    self.storage = storage
    sandboxes = storage.sandboxes
    let authority = Lazy {
      try settings.authority
        ?? Authority.storedIfPossible(in: settings.authorityFolder) { log.warning("\($0)") }
    }
    self.authority = authority.callAsFunction
    let metrics = Metrics()
    let transport = InProcessTransport()
    let control = ControlAPI(
      sandboxes, metrics: metrics, transport: transport, tokens: settings.access.tokens
    ) { [authority] in
      let authority = try authority()
      return AuthorityFiles(
        profile: Array(ConfigurationProfile(authority).text.utf8), certificate: authority.rootDER)
    } share: { request, sandbox, ordinal in
      try SharedVerification.file(
        ordinal, request, sandbox, providers: catalog, version: RingfenceCommand.version)
    } report: { sandbox in
      try Report(of: sandbox, providers: catalog).pieces()
    }
    let owners =
      catalog.map { $0.owner } + [
        Carrier.owner, control.owner,
        Console(sandboxes, providers: catalog, tokens: settings.access.tokens).owner,
        MCPServer(
          control, sandboxes, transport: transport, providers: catalog, version: RingfenceCommand.version
        ).owner,
      ]
    dispatcher = Dispatcher(sandboxes, owners: owners, metrics: metrics) { log.error("\($0)") }
    transport.connect(dispatcher, to: sandboxes)
    sandboxes.addresses.publicURL = settings.publicURL?.origin
    dispatcher.publicAddress = PublicAddress(
      url: settings.publicURL, proxies: settings.proxies, providers: ProviderHosts.all)
  }

  /// Serves until the server is drained. `ready` gets the addresses that were really bound.
  func serve(
    on wanted: Listening, limits: Server.Configuration, ready: (Listening, Server) throws -> Void
  ) throws {
    if supervised == nil { status.reportCrashes() }
    dispatcher.onOperation = status.name
    let loop = EventLoop()
    let server = try Server(loop, application: self, configuration: limits)
    alarm = try Timer(loop) { [unowned self] in runDueWork() }
    let bound = try listen(on: wanted, server)
    sandboxes.addresses.httpsPort = bound.https?.port
    sandboxes.addresses.gatewayPort = bound.gateway?.port
    dispatcher.proxyPolicy = proxyPolicy(listeningOn: bound)
    dispatcher.accessRules = accessRules(listeningOn: bound)
    dispatcher.isTurnLong = { [unowned server] in server.isTurnLong }
    self.server = server
    let client = try startWebhooks(on: loop, for: server)
    upkeep = try Upkeep(of: self, server)
    server.onDrained = { [unowned self] in
      upkeep?.endTimers()
      alarm?.close()
      live?.stop()
      client.close()
      loop.post { [weak loop] in loop?.stop() }
    }
    setAlarm()
    try ready(bound, server)
    reportRestart()
    loop.run()
  }

  /// Closes the database.
  func close() {
    upkeep?.close()
    storage.close()
  }

  // MARK: Listeners

  /// The addresses to listen on, or those that were bound.
  struct Listening {
    /// All routes, and the proxy.
    var http: SocketAddress
    /// All routes over TLS; nil if off.
    var https: SocketAddress?
    /// The cellular gateway; nil if off. Each connection serves one request.
    var gateway: SocketAddress?

    fileprivate var authorities: [HTTP.Authority] {
      [http, https, gateway].compactMap(\.self).map { HTTP.Authority(host: $0.host, port: $0.port) }
    }
  }

  private func listen(on wanted: Listening, _ server: Server) throws -> Listening {
    var main = Server.ListenerOptions(), secure = Server.ListenerOptions(), gateway = Server.ListenerOptions()
    main.isProxy = true
    gateway.keepAlive = false
    secure.isSecure = true
    try prepareTLS(isOn: wanted.https != nil)
    if let supervised {
      return Listening(
        http: try server.listen(onSocket: supervised.http, main),
        https: try supervised.https.map { try server.listen(onSocket: $0, secure) },
        gateway: try supervised.gateway.map { try server.listen(onSocket: $0, gateway) })
    }
    return Listening(
      http: try open("http", wanted.http, main, server),
      https: try wanted.https.map { try open("https", $0, secure, server) },
      gateway: try wanted.gateway.map { try open("gateway", $0, gateway, server) })
  }

  /// Makes the files that clients must find from the first start on. The first TLS connection makes the rest,
  /// which takes milliseconds.
  private func prepareTLS(isOn: Bool) throws {
    if settings.trustFolder != nil || settings.certificate != nil {
      _ = try tlsContext()
    } else if isOn || settings.location != .memory {
      // Also without TLS, a data folder with a damaged authority is not opened.
      if try !Authority.isStored(in: settings.authorityFolder), isOn { _ = try authority() }
    }
  }

  private func open(
    _ option: String, _ address: SocketAddress, _ options: Server.ListenerOptions, _ server: Server
  ) throws(ListenerFailure) -> SocketAddress {
    try ListenerFailure.naming(option, address) { address throws(LoopError) in
      try server.listen(on: address, options)
    }
  }

  private func proxyPolicy(listeningOn bound: Listening) -> ProxyPolicy {
    ProxyPolicy(
      providers: ProviderHosts.all, listening: bound.authorities,
      publicHost: settings.publicURL?.host, outside: settings.tunnels)
  }

  private func accessRules(listeningOn bound: Listening) -> AccessRules {
    let names = ServerNames(
      listening: bound.authorities, publicURL: settings.publicURL, allowed: settings.access.allowedHosts)
    return settings.access.tokens.map { AccessRules(names: names, tokens: $0, now: Self.wallClock) }
      ?? AccessRules(names: names)
  }

  /// The server's certificates; also writes the trust files if asked to.
  func tlsContext() throws -> TLSContext {
    if let tls { return tls }
    let authority = try self.authority()
    if let folder = settings.trustFolder {
      let files = try TrustFiles.write(authority, in: folder)
      if files.systemRoots == nil { log.warning("\(files.bundle): \(TrustFiles.missingRoots)") }
    }
    let context = try TLSContext(issuedBy: authority, own: settings.certificate)
    tls = context
    return context
  }

  // MARK: Application

  func bodyLimit(for head: RequestHead) -> Int {
    dispatcher.bodyLimit(head.method, path: head.target.path, host: head.headers["Host"] ?? "") ?? bodyLimit
  }

  func respond(to request: Request) -> Reply {
    status.begin(request)
    defer { status.phase = .waiting }
    return dispatcher.respond(to: request)
  }

  func proxyDecision(for request: Request) -> ProxyDecision { dispatcher.proxyDecision(for: request) }

  func errorResponse(for failure: RequestFailure, to request: Request) -> Response {
    dispatcher.errorResponse(for: failure, to: request)
  }

  func response(to error: MalformedRequest, after head: RequestHead?) -> Response {
    head.map { dispatcher.response(to: error, after: $0, bodyLimit: bodyLimit(for: $0)) } ?? error.response
  }

  func recordTLSFailure(serverName: String?, from origin: RequestOrigin, why: String) {
    dispatcher.recordTLSFailure(serverName: serverName, from: origin, why: why)
  }

  func recordTurn(_ turn: LoopTurn) {
    dispatcher.metrics.longestTurn = max(dispatcher.metrics.longestTurn, turn.duration)
    guard turn.isSlow else { return }
    let slowest = turn.slowest.map { slowest in
      let route = dispatcher.routeName(of: slowest.request) ?? "unknown path"
      return "; the slowest was \(slowest.request.method.rawValue) \(route) with \(slowest.duration)"
    }
    log.log(
      level: Logger.Level(ofTurn: turn.duration),
      """
      one turn of the event loop took \(turn.duration) and answered \(turn.requests) requests\(slowest ?? ""); it waited \
      \(turn.waited) for the disk or a processor
      """)
  }

  func recordSlowReader(_ reader: SlowReader) {
    log.warning(
      "disconnected \(reader.peer): the client \(reader.why); \(reader.unsentBytes) bytes were unsent")
  }

  func recordOverload(refused: Int, open: Int) {
    log.warning(
      """
      the server is full: it has \(open) connections, and refused \(refused) with 503. See --connections, and the \
      limit of open files (ulimit -n)
      """)
  }

  func commit() -> Bool {
    status.phase = .committing
    defer { status.phase = .waiting }
    webhooks?.prepare()
    do {
      try sandboxes.commit()
    } catch {
      log.error("the transaction was not committed: \(error)")
      dispatcher.metrics.failedCommits += 1
      live?.discard()
      storage.recover(from: error)
      return false
    }
    storage.checkpointIfTooLarge()
    if !logPasses.isRunning, logPasses.areUnfinished || storage.logIsLarge() { moveLog() }
    webhooks?.sendReady()
    if sandboxes.hasNewDueTime || isAlarmSpent, !dueWorkFailed { setAlarm() }
    live?.showSaved()
    return true
  }

  /// Called after a commit, so that a pause finds nothing half-written.
  private func moveLog() {
    guard let server else { return }
    let isLast = logPasses.begin(isNearLimit: storage.logIsNearLimit)
    if isLast { server.pause() }
    let size = storage.logBytes
    storage.moveLog(
      server.loop.callback { [unowned self] in
        logPasses.end(wasLast: isLast, grown: storage.logBytes - size)
        if isLast { server.resume() }
      })
  }

  // MARK: Webhooks

  /// Sends webhooks that are due, including those left by an earlier run of the program.
  private func startWebhooks(on loop: EventLoop, for server: Server) throws -> HTTPClient {
    let client = try HTTPClient(loop, configuration: settings.webhookClient)
    let dispatch = WebhookDispatch(sandboxes, providers: catalog) { [log] in
      log.error("\($0)")
    } send: { url, request, timeouts, then in
      client.send(request, to: url, within: timeouts, then: then)
    }
    dispatch.onRecorded = { [weak server, metrics = dispatcher.metrics] provider, result in
      metrics.count(result, of: provider)
      server?.markChanged()
    }
    webhooks = dispatch
    server.markChanged()
    return client
  }

  // MARK: Supervision

  private func reportRestart() {
    status.phase = .waiting
    guard status.restarts > 0, status.timeSinceCrash < Self.longestRestart else { return }
    log.notice("the server is ready again, \(status.timeSinceCrash.milliseconds) ms after the crash")
  }

  /// A server that starts later after a crash has taken over from another one.
  private static let longestRestart = Duration.seconds(60)

  // MARK: Due work

  private func runDueWork() {
    guard server?.isPaused != true else { return isAlarmSpent = true }
    status.phase = .working
    defer { status.phase = .waiting }
    do {
      try sandboxes.catchUp()
      dueWorkFailed = false
      // Set after the commit: a timer that is due at once goes off again in the same turn if its own callback
      // sets it.
      isAlarmSpent = true
    } catch {
      log.error("due work failed: \(error)")
      dueWorkFailed = true
      alarm?.arm(after: Self.pauseAfterFailure)
    }
    server?.markChanged()
  }

  /// Work that failed is still due. Without a pause, the loop would try it again in every turn.
  private static let pauseAfterFailure = Duration.seconds(1)

  private func setAlarm() {
    isAlarmSpent = false
    guard let delay = sandboxes.timeToNextDue else {
      alarm?.disarm()
      return
    }
    alarm?.arm(after: min(delay, Self.longestAlarm))
  }

  /// Long delays are split, since the wall clock may be set meanwhile.
  private static let longestAlarm = Duration.seconds(86_400)

  private static let wallClock: WallClock = { Timestamp(milliseconds: EventLoop.wallClockMilliseconds()) }
}
