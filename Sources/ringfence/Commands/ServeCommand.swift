import ArgumentParser
import Database
import Domain
import Glibc
import HTTP
import Isolation
import JSON
import Logging
import Loop
import Server

/// `ringfence serve`
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Start the sandbox server.",
    discussion: """
      Every option can also be set in the environment as RINGFENCE_<NAME>, or in a JSON file (--config). Flags win \
      over the environment, and the environment over the file.
      """)

  @Option(help: "Listen for HTTP on this address; port 0 picks a free port. Default 127.0.0.1:5550.")
  var http: String?
  @Option(help: "Listen for HTTP on this port of 127.0.0.1: short for --http 127.0.0.1:NUMBER.")
  var port: String?
  @Option(
    help: "Listen for HTTPS on this address, or off. Default: 127.0.0.1, the port after that of --http.")
  var https: String?
  @Option(
    help: """
      Listen for the cellular gateway (plain HTTP) on this address, or off. Default: 127.0.0.1, the second port after \
      that of --http.
      """)
  var gateway: String?
  @Option(help: "Store all data in this folder. Default: in memory.")
  var data: String?
  @Option(
    help: "Write the certificates for HTTPS clients into this folder: authority.pem, bundle.pem, trust.p12.")
  var trust: String?
  @Option(
    help: "normal: data survives a crash of the process. full: also a power failure.",
    completion: .list(["normal", "full"]))
  var fsync: String?
  @Option(help: "How many recent records to keep per sandbox.")
  var history: String?
  @Option(help: "The maximum number of sandboxes. Default 1000.")
  var maxSandboxes: String?
  @Option(
    help: """
      Remove each sandbox other than the default one this long after its last request, such as 12h or 7d. Default: \
      never.
      """)
  var sandboxTtl: String?
  @Option(
    help: """
      The name of this server among several behind a load balancer: two letters from a to f. The names and credentials of \
      new sandboxes start with it. See ringfence docs hosting.
      """)
  var shard: String?
  @Option(help: "The maximum number of open connections.")
  var connections: String?
  @Option(
    help: "What to print when the server is ready: text, or json for one line of JSON.",
    completion: .list(["text", "json"]))
  var ready: String?
  @Flag(
    inversion: .prefixedNo,
    help: """
      Print each request as it is answered, and a summary at the end. Default: if standard output is a terminal.
      """)
  var live: Bool?
  @Flag(help: "Start the server again if it crashes, on the same ports and with the same data.")
  var supervise = false
  @Flag(
    help: "Stop when standard input ends: with the program that has started the server, even if it crashes.")
  var untilStdinEnds = false
  @OptionGroup(title: "Behind a proxy") var reverseProxy: ReverseProxyOptions
  @OptionGroup(title: "Certificate") var certificate: CertificateOptions
  @OptionGroup(title: "Access") var access: AccessOptions
  @OptionGroup(title: "Backups") var backup: BackupOptions
  @OptionGroup(title: "Logs") var logs: LogOptions
  @OptionGroup(title: "Sandboxes") var options: ServerOptions

  /// The command line's values by option name.
  var flags: [String: String?] {
    [
      options.flags, access.flags, reverseProxy.flags, certificate.flags, backup.flags, logs.flags,
    ].reduce([
      "http": http, "port": port, "https": https, "gateway": gateway, "data": data, "trust": trust,
      "fsync": fsync,
      "history": history, "connections": connections,
      "max-sandboxes": maxSandboxes, "sandbox-ttl": sandboxTtl, "shard": shard,
      "ready": ready, "live": live.map(String.init),
      "supervise": supervise ? "true" : nil, "until-stdin-ends": untilStdinEnds ? "true" : nil,
    ]) { $0.merging($1) { $1 } }
  }

  func run() throws { try Self.serve(flags) }

  /// `flags` are the command line's values by option name.
  static func serve(_ flags: [String: String?]) throws {
    ProcessMemory.returnLargeBlocks()
    OpenFiles.raiseLimit()
    let configuration = try Configuration(flags: flags)
    let log = try configuration.logger
    let wanted = try Wiring.Listening(configuration)
    let supervised = try SupervisedServer(listening: wanted)
    if supervised == nil, try configuration.isOn("supervise") {
      let supervisor = try ServerSupervisor(
        wanted, dataFolder: configuration.text("data"), reloads: try configuration.reloads, log: log)
      try supervisor.run().exitLikewise()
    }
    let printsJSON = try configuration.choice("ready", ["text", "json"]) == "json"
    var limits = Server.Configuration()
    limits.connectionLimit = try configuration.connectionLimit(for: limits)
    let endsWithInput = try configuration.isOn("until-stdin-ends")
    // Once the input has ended, no client is worth waiting for.
    if endsWithInput { limits.drainTimeout = .milliseconds(500) }
    var settings = try Self.settings(configuration)
    let listeners = [wanted.http, wanted.https, wanted.gateway].compactMap(\.self)
    settings.access = try AccessSettings(configuration, on: listeners, supervised: supervised)
    let requiresToken = settings.access.tokens != nil
    if requiresToken { try OwnKeys(in: configuration.text("data")).replaceKeys(of: &settings.seeds) }
    if requiresToken || !listeners.allSatisfy(\.isLoopback) {
      settings.webhookClient.destinations.isShared = true
      var tunnels = Destinations(allowing: try configuration.hosts("proxy-tunnel"), by: "--proxy-tunnel")
      tunnels.isShared = true
      limits.tunnelDestinations = tunnels
    }
    let hasProxies = !configuration.list("trusted-proxy").isEmpty
    if hasProxies, !requiresToken, try !configuration.isOn("open-control") {
      log.warning(
        "whoever reaches the proxies of --trusted-proxy may use the control API; to require a token, set --admin-token"
      )
    }
    let newToken = settings.access.newAdminToken
    for note in settings.seedNotes { log.notice("\(note)") }
    let wiring = try Wiring(settings, supervised: supervised, log: log)
    defer { wiring.close() }
    if requiresToken { warn(about: wiring.sandboxes, log) }
    let isLive =
      try configuration.text("live") == nil
      ? Terminal.isInteractive && !printsJSON : configuration.isOn("live")
    let view = isLive ? LiveView(of: wiring) : nil
    try wiring.serve(on: wanted, limits: limits) { bound, server in
      try server.drainOnSignals()
      if printsJSON {
        printReady(bound, newToken, supervised: supervised)
      } else {
        Output.lines(Greeting(at: bound, settings, data: configuration.text("data")).lines)
      }
      try view?.start(on: server.loop)
      if endsWithInput { try stop(server, whenInputEndsOf: STDIN_FILENO) }
    }
    view?.finish()
  }

  private static func stop(_ server: Server, whenInputEndsOf descriptor: CInt) throws {
    let end = server.loop.callback { server.drain() }
    let thread = WorkerThread {
      var chunk = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &chunk, chunk.count) > 0 {}
      end()
    }
    guard let thread else { throw PlainSocket.systemError }
    thread.detach()
  }

  /// Sandboxes keep the credentials that they were created with.
  private static func warn(about sandboxes: Sandboxes, _ log: Logger) {
    let names = sandboxes.all.filter(\.hasGuessableSeed).map(\.name).filter { $0 != Sandboxes.defaultName }
    guard !names.isEmpty else { return }
    let rest = names.count > 5 ? " and \(names.count - 5) more" : ""
    log.warning(
      """
      whoever knows the names of these sandboxes can compute their credentials, because they were created without a token, \
      or with a random seed: \(names.prefix(5).joined(separator: ", "))\(rest). Delete them and create them again
      """)
  }

  private static func settings(_ options: Configuration) throws -> ServerSettings {
    var settings = try ServerSettings(options)
    settings.backups = try options.backups
    settings.accessLog = try options.accessLog
    if let folder = options.text("data") {
      settings.location = .file(path: try DataFolder(opening: folder).database)
      settings.authorityFolder = folder
    }
    settings.durability = try options.choice("fsync", ["normal", "full"]) == "full" ? .full : .normal
    try options.require("data", for: ["fsync"])
    settings.publicURL = try options.publicURL
    settings.proxies = try options.trustedProxies
    settings.certificate = try options.certificate
    settings.readCertificate = { try options.certificate }
    settings.historySpan = try options.number("history")
    settings.trustFolder = options.text("trust")
    settings.maxSandboxes = try options.number("max-sandboxes", in: 1...100_000)
    settings.sandboxTTL = try options.ttl("sandbox-ttl")
    settings.shard = try options.text("shard").map { name throws(ValidationError) in
      guard let shard = Shard(name) else {
        throw ValidationError("\(options.source(of: "shard")): expected \(Shard.expected); found \(name)")
      }
      return shard
    }
    return settings
  }

  /// With a supervisor, the process id is the supervisor's.
  private static func printReady(
    _ bound: Wiring.Listening, _ newAdminToken: String?, supervised: SupervisedServer?
  ) {
    let line = JSONWriter.object { json in
      json.member("ready", true)
      json.member("http", "http://\(bound.http)")
      json.member("https", bound.https.map { "https://\($0)" })
      json.member("gateway", bound.gateway.map { "http://\($0)" })
      json.member("pid", Int(supervised == nil ? getpid() : getppid()))
      json.member("adminToken", newAdminToken)
    }
    Output.json(line)
  }
}

extension Configuration {
  /// `--connections`, or as many as usual if the process may have them.
  fileprivate func connectionLimit(for limits: Server.Configuration) throws(ValidationError) -> Int {
    let possible = max(1, limits.possibleConnections)
    guard let wanted = try number("connections", in: 1...1_000_000) else {
      return min(limits.connectionLimit, possible)
    }
    guard wanted <= possible else {
      throw ValidationError(
        """
        \(source(of: "connections")): expected at most \(possible), since this process may open \
        \(limits.descriptorLimit) files and connections (ulimit -Hn, or LimitNOFILE in a unit of systemd); found \(wanted)
        """)
    }
    return wanted
  }
}
