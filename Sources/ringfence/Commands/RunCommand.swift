import ArgumentParser
import Domain
import Glibc
import Logging
import Loop
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

  @Option(help: "The sandbox's name, for requests that name one. Without it, the default sandbox.")
  var sandbox: String?
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
    if let sandbox, SandboxName(sandbox) == nil {
      throw ValidationError("--sandbox: expected 1 to 64 letters, digits, -, _ and .; found \(sandbox)")
    }
  }

  func run() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var setup = try WorldOptions.setup(Configuration(flags: world.flags))
    let authority = (try? Authority.kept(in: setup.authorityFolder)) ?? Authority.fresh()
    setup.authority = authority
    let trust = try TrustFiles.write(authority, in: folder.path)
    let wiring = try Wiring(setup, log: .standard)
    let sandbox = try makeSandbox(in: wiring.sandboxes, setup.origin)
    var escort: Escort?
    try wiring.serve(on: Self.wanted, limits: Self.limits) { bound, server in
      try setEnvironment(of: sandbox, bound, trust, folder)
      escort = try accompany(server)
    }
    wiring.close()
    folder.remove()
    escort?.ending?.repeated()
  }

  private func makeSandbox(in sandboxes: Sandboxes, _ origin: Sandbox.Origin) throws -> Sandbox {
    guard let name = sandbox, let made = try sandboxes.create(name, origin: origin) else {
      return sandboxes.standard
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
      url: "http://\(bound.http)\(prefix)", https: bound.https.map { "https://\($0)\(prefix)" },
      gateway: bound.gateway.map { "http://\($0)" })
    var environment = try AppEnvironment(of: sandbox, at: place, filesIn: folder.path)
    environment.trust(trust)
    let difference = environment.difference(to: Environment.all, overwriting: overwrite)
    for file in difference.files { try file.write() }
    for remark in difference.remarks { Output.errorLine("ringfence: \(remark)") }
    for variable in difference.variables { setenv(variable.name, variable.value, 1) }
  }

  /// Starts the command; like a shell, says 127 where there is none and 126 where it cannot be run.
  private func accompany(_ server: Server) throws -> Escort {
    do {
      return try Escort(words, on: server.loop) { server.drain() }
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

  private static let free = SocketAddress(host: "127.0.0.1", port: 0)
  private static let wanted = Wiring.Listening(http: free, https: free, gateway: free)

  /// Nobody is left to wait for once the command has ended.
  private static var limits: Server.Configuration {
    var limits = Server.Configuration()
    limits.drainTimeout = .milliseconds(500)
    return limits
  }
}
