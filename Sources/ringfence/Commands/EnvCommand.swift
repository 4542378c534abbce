import ArgumentParser
import Catalog
import Domain
import HTTP
import JSON
import ProviderKit

/// `ringfence env`
struct EnvCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "env", abstract: "Print the environment variables that make apps use a running server.",
    discussion: """
      sh and fish are for eval; dotenv, json and compose for files; github for the file named by $GITHUB_ENV. Files \
      that variables name are written to the data folder.
      """)

  @Option(help: "The output format.")
  var format = EnvironmentFormat.dotenv
  @Option(help: "The server's address.")
  var url = DefaultAddresses.http
  @Option(help: "The server's HTTPS address.")
  var https = DefaultAddresses.https
  @Option(help: "The address of its cellular gateway.")
  var gateway = DefaultAddresses.gateway
  @Option(
    help: "A sandbox other than the default one. Its credentials are requested from the server.",
    transform: SandboxName.text)
  var sandbox: String?
  @OptionGroup var token: AdminTokenOption
  @Flag(help: "Also set the server as proxy for the vendors' host names, and make clients trust it.")
  var proxy = false
  @Option(help: "The server's data folder. Default: the user's.")
  var data: String?
  @Flag(help: .hidden)
  var shell = false

  func run() throws {
    var environment = try environment()
    if proxy {
      let server = try ControlClient(url, token: token).server
      environment.useProxy(.init(host: server.host, port: server.port, sandbox: sandbox))
      environment.trust(
        try TrustFiles.write(Authority.stored(in: environment.folder), in: environment.folder))
    }
    for file in environment.files { try file.write() }
    let entries = environment.entries.filter { $0.purpose != .example }
    print((shell ? .sh : format).text(of: entries), terminator: "")
  }

  private func environment() throws -> AppEnvironment {
    let folder = try Authority.folder(data)
    guard let sandbox else {
      let place = AppEnvironment.Place(url: url, https: https, gateway: gateway)
      return try AppEnvironment(of: SeedFiles.freshSandboxes().defaultSandbox, at: place, filesIn: folder)
    }
    let client = try ControlClient(url, token: token, timeout: PlainSocket.timeout)
    let answer = try client.get("/control/sandboxes/\(sandbox)")
    let credentials = try answer.object("credentials")
    let place = AppEnvironment.Place(
      url: "\(url)/s/\(sandbox)", https: "\(https)/s/\(sandbox)", gateway: gateway)
    return try AppEnvironment(at: place, filesIn: folder) { provider in
      let own = try credentials.object(provider.name)
      return try own.names.map { ($0, try own.string($0)) }
    }
  }
}
