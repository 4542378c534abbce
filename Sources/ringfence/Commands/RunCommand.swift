import ArgumentParser
import Control
import Glibc
import Isolation
import Logging
import Loop
import ProviderKit
import Server

/// `ringfence run -- COMMAND…`: runs a command with a private sandbox.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a command whose requests to the providers go to a private sandbox.",
    usage: "ringfence run [OPTIONS] -- COMMAND…",
    discussion: """
      The sandbox is in memory, listens on free local ports and stops with the command. The environment of the command \
      contains the variables that the providers' SDKs read. The exit status is the command's.
      """)

  @Option(
    help: "The sandbox's name. Default: the default sandbox.",
    transform: SandboxName.text)
  var sandbox: String?
  @Flag(
    help: """
      Give the command its own network, in which the providers' host names are the sandbox and nothing else is \
      reachable. Linux only.
      """)
  var isolated = false
  @Flag(help: "Replace variables that are already set. By default they are kept and reported.")
  var overwrite = false
  @Option(
    help: """
      Write a report of each sandbox that was used into this folder: NAME.html, one file that opens from disk, with \
      requests, phones and verifications.
      """)
  var report: String?
  @Flag(help: "Print no address in a terminal, no summary at the end, and no warning of the server.")
  var quiet = false
  @OptionGroup var options: ServerOptions
  @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
  var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else {
      throw ValidationError("expected a command after --, such as: ringfence run -- pytest")
    }
    guard !isolated || options.proxyTunnel == nil else {
      throw ValidationError("--proxy-tunnel has no effect with --isolated, where no other host is reachable")
    }
  }

  func run() throws {
    BlockedSignals.block()
    defer { BlockedSignals.unblock() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var settings = try ServerSettings(Configuration(flags: options.flags))
    for note in settings.seedNotes { Output.errorLine("ringfence: \(note)") }
    let authority = try Authority.storedIfPossible(in: settings.authorityFolder) { _ in }
    settings.authority = authority
    if report != nil { settings.journalCapacity = RunReports.journalCapacity }
    let trust = try TrustFiles.write(authority, in: folder.path)
    if trust.systemRoots == nil { Output.errorLine("ringfence: \(TrustFiles.missingRoots)") }
    if isolated { try isolate(trust, folder) }
    let wiring = try Wiring(settings, log: log)
    let sandbox = try makeSandbox(in: wiring.sandboxes, settings.origin)
    var summary = RunSummary(of: sandbox.name)
    // A reset is a removal, too.
    wiring.sandboxes.beforeRemoval = { try? summary.add($0) }
    let test = Environment[RunReports.testVariable]
    if let test { sandbox.journal.begin(test: test) }
    ParentProcess.terminateChildrenWithThisProcess()
    var child: ChildSupervisor?
    var listening: Server?
    var ownAccounts: [(provider: String, variable: String)] = []
    try wiring.serve(on: addresses, limits: Self.limits) { bound, server in
      listening = server
      ownAccounts = try setEnvironment(for: sandbox, bound, trust, folder)
      child = try startCommand(server)
    }
    if let test {
      let outcome: Journal.MarkedTest.Outcome = child?.ending == .exited(status: 0) ? .passed : .failed
      wiring.sandboxes[sandbox.name]?.journal.end(test: test, outcome)
    }
    if let report { RunReports.write(wiring.sandboxes.all, to: report) }
    let (own, others) = (wiring.sandboxes[sandbox.name], wiring.sandboxes.all)
    for each in [own].compactMap(\.self) + others.filter({ $0 !== own }) { try? summary.add(each) }
    summary.addNotCalled(
      ownAccounts, advice: isolated ? "" : "if its client ignores proxy settings: --isolated")
    if !isolated { summary.add(UnreachedPackage.all(in: ".")) }
    let seen = UnreachedRun(
      isIsolated: isolated, ownRequests: wiring.dispatcher.metrics.ownRequestCount,
      connections: listening?.acceptedCount ?? 0)
    wiring.close()
    folder.remove()
    if !quiet { for line in summary.lines(unreached: seen.text) { Output.errorLine(line) } }
    child?.ending?.exitLikewise()
  }

  var log: Logger {
    var log = Logger.standard
    if quiet { log.logLevel = .error }
    return log
  }

  /// Leaves the machine's network. The kernel requires that no thread has been started.
  private func isolate(_ trust: TrustFiles, _ folder: TemporaryFolder) throws {
    var plan = Isolation.Plan(
      names: ProviderHosts.knownNames, folder: folder.path,
      mapper: [ProgramArguments.texts[0], MapIdentitiesCommand.name])
    for path in SystemRoots.paths { plan.fileOverrides[path] = trust.bundle }
    try Isolation.enter(plan)
  }

  private func makeSandbox(in sandboxes: Sandboxes, _ origin: Sandbox.Configuration) throws -> Sandbox {
    guard let name = sandbox, let made = try sandboxes.create(name, origin) else {
      return sandboxes.defaultSandbox
    }
    try sandboxes.commit()
    return made
  }

  /// Changes our own environment, which the command inherits. Returns the user's own credentials.
  private func setEnvironment(
    for sandbox: Sandbox, _ bound: Wiring.Listening, _ trust: TrustFiles, _ folder: TemporaryFolder
  ) throws -> [(provider: String, variable: String)] {
    let prefix = sandbox.name == Sandboxes.defaultName ? "" : "/s/\(sandbox.name)"
    let place = AppEnvironment.Place(
      url: bound.http.url("http", defaultPort: 80) + prefix,
      https: bound.https.map { $0.url("https", defaultPort: 443) + prefix },
      gateway: bound.gateway.map { $0.url("http", defaultPort: 80) })
    var environment = try AppEnvironment(of: sandbox, at: place, filesIn: folder.path)
    environment.trust(trust)
    if isolated {
      unsetProxies()
    } else {
      environment.useProxy(.init(host: bound.http.host, port: bound.http.port, sandbox: self.sandbox))
      if let https = bound.https { environment.leadNode(toHTTP: bound.http.port, https: https.port) }
    }
    let difference = environment.difference(to: Environment.all, overwriting: overwrite)
    for file in difference.files { try file.write() }
    for note in difference.notes { Output.errorLine("ringfence: \(note)") }
    for variable in difference.variables { setenv(variable.name, variable.value, 1) }
    if !quiet, !isolated, Terminal.isWatched {
      Output.errorLine("ringfence: the sandbox is at \(place.url)/")
    }
    return difference.ownAccounts
  }

  private func unsetProxies() {
    let names = ["http_proxy", "https_proxy", "all_proxy"].flatMap { [$0.uppercased(), $0] }
    let present = names.filter { Environment[$0] != nil }
    for name in present { unsetenv(name) }
    guard !present.isEmpty else { return }
    Output.errorLine(
      "ringfence: removed \(present.joined(separator: ", ")): with --isolated no proxy is reachable")
  }

  /// Starts the command, unless a signal to stop has arrived. Exits like a shell: with 127 if the command
  /// does not exist, with 126 if it cannot be executed.
  private func startCommand(_ server: Server) throws -> ChildSupervisor {
    if BlockedSignals.arePending { throw ExitCode.failure }
    do {
      let child = try ChildSupervisor(words, on: server.loop) { server.drain() }
      BlockedSignals.unblock()
      return child
    } catch let error as LoopError {
      Output.errorLine("ringfence: \(command[0]): \(error.reason)")
      throw ExitCode(error.name == "ENOENT" ? 127 : 126)
    }
  }

  private var words: [[UInt8]] { ProgramArguments.bytes.suffix(command.count) }

  /// Free ports; 80 and 443 in an isolated network.
  private var addresses: Wiring.Listening {
    func address(_ port: UInt16) -> SocketAddress {
      SocketAddress(host: "127.0.0.1", port: isolated ? port : 0)
    }
    return Wiring.Listening(http: address(80), https: address(443), gateway: address(0))
  }

  /// Once the command has ended, no client is worth waiting for.
  private static var limits: Server.Configuration {
    var limits = Server.Configuration()
    limits.drainTimeout = .milliseconds(500)
    return limits
  }
}

extension SocketAddress {
  /// Without the port if it is the scheme's default.
  fileprivate func url(_ scheme: String, defaultPort: UInt16) -> String {
    let url = "\(scheme)://\(self)"
    return port == defaultPort ? String(url.dropLast(":\(defaultPort)".count)) : url
  }
}

/// `ringfence map-identities PROCESS`: a helper that `run --isolated` starts outside the new namespaces.
struct MapIdentitiesCommand: ParsableCommand {
  static let name = "map-identities"

  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Map all users and groups into a process's user namespace.",
    shouldDisplay: false)

  @Argument(help: "The process. It writes a line to standard input once its namespaces exist.")
  var process: Int

  func run() throws {
    guard readLine() != nil else { throw ExitCode.failure }
    do {
      try Namespaces.mapIdentities(of: process)
    } catch {
      // The parent process reports the error.
      throw ExitCode(error.number)
    }
  }
}
