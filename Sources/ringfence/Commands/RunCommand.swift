import ArgumentParser
import Catalog
import Domain
import Glibc
import Isolation
import Logging
import Loop
import ProviderKit
import Server

/// `ringfence run -- CMD…`: runs a command beside a sandbox of its own, with an environment that leads it there.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a command whose requests to the providers reach a sandbox of its own.",
    usage: "ringfence run [OPTIONS] -- COMMAND…",
    discussion: """
      The sandbox is in memory, listens on free ports of this machine and ends with the command, whose exit status is \
      passed on. The command finds in its environment what every SDK looks for.
      """)

  @Option(
    help: "The sandbox's name, for requests that name one. Without it, the default sandbox.",
    transform: SandboxName.text)
  var sandbox: String?
  @Flag(
    help: """
      Give the command a network of its own, in which the providers' names are the sandbox and nothing else can be \
      reached. Only on Linux.
      """)
  var isolated = false
  @Flag(help: "Replace variables that are set already; otherwise they are kept, and named.")
  var overwrite = false
  @Flag(help: "Say nothing at the end about what was sent and refused.")
  var quiet = false
  @OptionGroup var world: WorldOptions
  @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
  var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else {
      throw ValidationError("expected a command after --, such as: ringfence run -- pytest")
    }
    guard !isolated || world.proxyTunnel == nil else {
      throw ValidationError(
        "--proxy-tunnel: expected without --isolated, under which no other host can be reached")
    }
  }

  func run() throws {
    HeldSignals.hold()
    defer { HeldSignals.release() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var setup = try WorldOptions.setup(Configuration(flags: world.flags))
    let authority = (try? Authority.kept(in: setup.authorityFolder)) ?? Authority.fresh()
    setup.authority = authority
    let trust = try TrustFiles.write(authority, in: folder.path)
    if trust.systemRoots == nil { Output.errorLine("ringfence: \(TrustFiles.lonely)") }
    if isolated { try isolate(trust, folder) }
    let wiring = try Wiring(setup, log: .standard)
    let sandbox = try makeSandbox(in: wiring.sandboxes, setup.origin)
    var escort: ChildSupervisor?
    try wiring.serve(on: wanted, limits: Self.limits) { bound, server in
      try setEnvironment(of: sandbox, bound, trust, folder)
      escort = try accompany(server)
    }
    let summary = quiet ? nil : try? RunSummary(of: sandbox, beside: wiring.sandboxes.all)
    wiring.close()
    folder.remove()
    for line in summary?.lines(unreached: unreached) ?? [] { Output.errorLine(line) }
    escort?.ending?.repeated()
  }

  private var unreached: String {
    isolated
      ? "no request reached the sandbox: the command asked for none of the providers' hosts"
      : "no request reached the sandbox; a client that looks for no proxy is led there by --isolated, and "
        + "`ringfence doctor` tells what a client needs"
  }

  /// Leaves the machine's network; before any thread begins, since the kernel asks for it.
  private func isolate(_ trust: TrustFiles, _ folder: TemporaryFolder) throws {
    var plan = Isolation.Plan(
      names: catalog.flatMap { $0.hosts }.sorted(), folder: folder.path,
      mapper: [CommandLine.arguments[0], MapIdentitiesCommand.name])
    for place in SystemRoots.places { plan.covers[place] = trust.bundle }
    try Isolation.enter(plan)
  }

  private func makeSandbox(in sandboxes: Sandboxes, _ origin: Sandbox.Configuration) throws -> Sandbox {
    guard let name = sandbox, let made = try sandboxes.create(name, origin) else {
      return sandboxes.defaultSandbox
    }
    try sandboxes.commit()
    return made
  }

  /// Puts what leads the command to the sandbox into our own environment, which it inherits.
  private func setEnvironment(
    of sandbox: Sandbox, _ bound: Wiring.Listening, _ trust: TrustFiles, _ folder: TemporaryFolder
  ) throws {
    let prefix = sandbox.name == Sandboxes.defaultName ? "" : "/s/\(sandbox.name)"
    let place = AppEnvironment.Place(
      url: bound.http.url("http", usually: 80) + prefix,
      https: bound.https.map { $0.url("https", usually: 443) + prefix },
      gateway: bound.gateway.map { $0.url("http", usually: 80) })
    var environment = try AppEnvironment(of: sandbox, at: place, filesIn: folder.path)
    environment.trust(trust)
    if isolated {
      forgetProxies()
    } else {
      environment.lead(through: .init(host: bound.http.host, port: bound.http.port, sandbox: self.sandbox))
    }
    let difference = environment.difference(to: Environment.all, overwriting: overwrite)
    for file in difference.files { try file.write() }
    for remark in difference.remarks { Output.errorLine("ringfence: \(remark)") }
    for variable in difference.variables { setenv(variable.name, variable.value, 1) }
  }

  /// There is no way to a proxy.
  private func forgetProxies() {
    let names = ["http_proxy", "https_proxy", "all_proxy"].flatMap { [$0.uppercased(), $0] }
    let present = names.filter { Environment[$0] != nil }
    for name in present { unsetenv(name) }
    guard !present.isEmpty else { return }
    Output.errorLine(
      "ringfence: \(present.joined(separator: ", ")) removed: under --isolated no proxy can be reached")
  }

  /// Starts the command, unless we have been told to end; like a shell, says 127 where there is none and 126 where
  /// it cannot be run.
  private func accompany(_ server: Server) throws -> ChildSupervisor {
    if HeldSignals.areWaiting { throw ExitCode.failure }
    do {
      let escort = try ChildSupervisor(words, on: server.loop) { server.drain() }
      HeldSignals.release()
      return escort
    } catch let error as LoopError {
      Output.errorLine("ringfence: \(command[0]): \(error.reason)")
      throw ExitCode(error.name == "ENOENT" ? 127 : 126)
    }
  }

  /// The command's words as they came, whatever their encoding.
  private var words: [[UInt8]] {
    (CommandLine.argc - Int32(command.count)..<CommandLine.argc).compactMap { index in
      CommandLine.unsafeArgv[Int(index)].map { word in
        UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) }
      }
    }
  }

  /// Free ports; on a network of its own, those that clients ask without being told.
  private var wanted: Wiring.Listening {
    func address(_ port: UInt16) -> SocketAddress {
      SocketAddress(host: "127.0.0.1", port: isolated ? port : 0)
    }
    return Wiring.Listening(http: address(80), https: address(443), gateway: address(0))
  }

  /// Nobody is left to wait for once the command has ended.
  private static var limits: Server.Configuration {
    var limits = Server.Configuration()
    limits.drainTimeout = .milliseconds(500)
    return limits
  }
}

extension SocketAddress {
  /// The URL of what listens there, without the port that a scheme has by itself.
  fileprivate func url(_ scheme: String, usually usual: UInt16) -> String {
    let whole = "\(scheme)://\(self)"
    return port == usual ? String(whole.dropLast(":\(usual)".count)) : whole
  }
}
