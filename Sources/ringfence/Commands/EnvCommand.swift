import ArgumentParser
import Catalog
import ProviderKit

/// `ringfence env`
struct EnvCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "env", abstract: "Print the environment variables that make apps use a running server.",
    discussion: """
      sh, fish and powershell are for eval, cmd for a batch file; dotenv, json and compose for files; github for the \
      file named by $GITHUB_ENV. Files that variables name are written to the data folder, one set for each server and sandbox. Under `ringfence run`, \
      the server is the run's.
      """)

  @Option(help: "The output format. Default: dotenv.")
  var format: EnvironmentFormat?
  @Flag(help: "The same as --format json.")
  var json = false
  @Option(help: "The server's address. Default: RINGFENCE_URL, else http://127.0.0.1:5550.")
  var url: String?
  @Option(help: "The server's HTTPS address, or off. Default: the server is asked.")
  var https: String?
  @Option(help: "The address of its cellular gateway, or off. Default: the server is asked.")
  var gateway: String?
  @Option(
    help: "A sandbox other than the default one. Its credentials are requested from the server.",
    transform: SandboxName.text)
  var sandbox: String?
  @OptionGroup var token: AdminTokenOption
  @Flag(help: "Also set the server as proxy for the providers' host names, and make clients trust it.")
  var proxy = false
  @Option(help: "The server's data folder. Default: the user's.")
  var data: String?
  @Flag(help: .hidden)
  var shell = false

  func validate() throws {
    guard !json || format == nil || format == .json else {
      throw ValidationError("--json: cannot be combined with another --format")
    }
  }

  func run() throws {
    let target = try target()
    let folder = try Authority.folder(data)
    var environment = try environment(at: target, filesIn: target.folder(in: folder))
    if proxy {
      environment.useProxy(
        .init(host: target.server.host, port: target.server.port, sandbox: target.sandbox))
      environment.trust(try TrustFiles.write(Authority.stored(in: folder), in: folder))
    }
    for file in environment.files { try file.write() }
    let entries = environment.entries.filter { $0.purpose != .example }
    let format = shell ? .sh : json ? .json : format ?? .dotenv
    Output.bytes(Array(format.text(of: entries).utf8))
  }

  private struct Target {
    let server: AbsoluteURL
    /// The server's URL as given, without a sandbox's path.
    let base: String
    /// Nil for the default sandbox.
    let sandbox: String?

    /// The folder for the files of this server and sandbox.
    func folder(in folder: String) -> String {
      let host = server.host.map { $0 == ":" ? "-" : String($0) }.joined()
      return "\(folder)/env/\(host)-\(server.port)/\(sandbox ?? Sandboxes.defaultName)"
    }
  }

  /// The URL may end in `/s/NAME`, as in `RINGFENCE_URL` under `ringfence run --sandbox NAME`.
  private func target() throws -> Target {
    let text = url ?? ControlClient.defaultURL
    let server = try ControlClient(text, token: token).server
    let path = server.target
    let base = text.hasSuffix(path) ? String(text.dropLast(path.utf8.count)) : text
    let name = path.hasPrefix("/s/") ? try SandboxName.text(String(path.dropFirst(3))) : nil
    let chosen = sandbox ?? name
    return Target(server: server, base: base, sandbox: chosen == Sandboxes.defaultName ? nil : chosen)
  }

  private func environment(at target: Target, filesIn folder: String) throws -> AppEnvironment {
    guard let described = try describe(target) else {
      let sandbox = try SeedFiles.freshSandboxes().defaultSandbox
      return try AppEnvironment(of: sandbox, at: place(of: target, described: nil), filesIn: folder)
    }
    let credentials = try described.object("credentials")
    let place = try place(of: target, described: described.object("urls"))
    return try AppEnvironment(at: place, filesIn: folder) { provider in
      let own = try credentials.object(provider.name)
      return try own.names.map { ($0, try own.string($0)) }
    }
  }

  /// The server's description of the sandbox. Nil if the server does not give one, and no sandbox was named:
  /// then the credentials are those of the default seeds.
  private func describe(_ target: Target) throws -> Fields? {
    let client = try ControlClient(target.base, token: token, timeout: PlainSocket.timeout)
    do {
      return try client.get("/control/sandboxes/\(target.sandbox ?? Sandboxes.defaultName)")
    } catch {
      guard sandbox == nil, target.sandbox == nil else { throw error }
      Output.errorLine("ringfence: \(error); the variables are those of a server with default options")
      return nil
    }
  }

  /// The addresses: those of the options, else those that the server names, else those of `ringfence run` or
  /// of a server with default options.
  private func place(of target: Target, described urls: Fields?) throws -> AppEnvironment.Place {
    let isDefault = target.base == DefaultAddresses.http
    let isOfRun = url == nil && Environment["RINGFENCE_URL"] != nil
    func address(_ option: String?, _ name: String, _ variable: String, _ fallback: String) throws -> String?
    {
      if let option { return option == "off" ? nil : option }
      if let urls { return try urls.optionalString(name) }
      if isOfRun { return Environment[variable] }
      return isDefault ? fallback : nil
    }
    let path = target.sandbox.map { "/s/\($0)" } ?? ""
    let https = try address(https, "https", "RINGFENCE_HTTPS_URL", DefaultAddresses.https)
    return AppEnvironment.Place(
      url: target.base + path, https: https.map { $0 + path },
      gateway: try address(gateway, "gateway", "RINGFENCE_GATEWAY_URL", DefaultAddresses.gateway))
  }
}
