import ArgumentParser
import Catalog
import Database
import Domain
import HTTP
import JSON
import Loop
import ProviderKit

/// `ringfence env`: what an app needs in its environment to reach a running server.
struct EnvCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "env", abstract: "Print the environment that points apps at a sandbox.",
    discussion: """
      sh and fish are for eval, dotenv, json and compose for files, github for what $GITHUB_ENV names. Files that \
      variables name are written into the data folder.
      """)

  @Option(help: "The form to print in.")
  var format = EnvironmentFormat.dotenv
  @Option(help: "Where the server listens.")
  var url = DefaultAddresses.http
  @Option(help: "Where it speaks TLS.")
  var https = DefaultAddresses.https
  @Option(help: "Where its cellular gateway listens.")
  var gateway = DefaultAddresses.gateway
  @Option(
    help: "A sandbox other than the default one; the server is asked for its credentials.",
    transform: SandboxName.text)
  var sandbox: String?
  @Flag(help: "Lead clients of the vendors' own hosts through the server too, and make them trust it.")
  var proxy = false
  @Option(help: "The data folder of the server. Without it, the user's own.")
  var data: String?
  @Flag(help: .hidden)
  var shell = false

  func run() throws {
    var environment = try environment()
    if proxy {
      let server = try ControlClient(url).server
      environment.lead(through: .init(host: server.host, port: server.port, sandbox: sandbox))
      environment.trust(try TrustFiles.write(Authority.kept(in: environment.folder), in: environment.folder))
    }
    for file in environment.files { try file.write() }
    print((shell ? .sh : format).text(of: environment.entries), terminator: "")
  }

  private func environment() throws -> AppEnvironment {
    let folder = try Authority.folder(data)
    guard let sandbox else {
      let place = AppEnvironment.Place(url: url, https: https, gateway: gateway)
      return try AppEnvironment(of: SeedFiles.freshSandboxes().defaultSandbox, at: place, filesIn: folder)
    }
    let answer = try ControlClient(url, timeout: PlainSocket.timeout).get("/control/sandboxes/\(sandbox)")
    let credentials = try answer.object("credentials")
    let place = AppEnvironment.Place(
      url: "\(url)/s/\(sandbox)", https: "\(https)/s/\(sandbox)", gateway: gateway)
    return try AppEnvironment(at: place, filesIn: folder) { provider in
      let own = try credentials.object(provider.name)
      return try own.names.map { ($0, try own.string($0)) }
    }
  }
}

extension SeedFiles {
  /// The default sandbox as a fresh start makes it, in memory, for commands that need no server.
  static func freshSandboxes(folders: [String] = [], origin: Sandbox.Configuration = .init()) throws -> Sandboxes {
    let settings = Sandboxes.Settings(makeKey: SigningKey.p256) {
      Timestamp(milliseconds: EventLoop.wallClockMilliseconds())
    }
    return try Sandboxes(
      in: Database(.memory), settings: settings, seeds: library(folders: folders), defaultConfiguration: origin)
  }
}
