import ArgumentParser
import Database
import Domain
import Loop
import Providers

/// `ringfence env`: what an app needs in its environment to reach the default sandbox.
struct EnvCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "env", abstract: "Print the environment that points apps at the default sandbox.")

  @Option(help: "Where the server listens.")
  var url = "http://127.0.0.1:5550"
  @Option(help: "Where its cellular gateway listens.")
  var gateway = "http://127.0.0.1:5552"
  @Flag(help: "Print export lines for a shell.")
  var shell = false

  func run() throws {
    let sandbox = try SeedFiles.freshSandboxes().standard
    var lines = [("RINGFENCE_URL", url), ("RINGFENCE_GATEWAY_URL", gateway)]
    for provider in catalog { lines += try provider.environment(of: sandbox, at: url) }
    for (variable, value) in lines {
      print(shell ? "export \(variable)='\(value)'" : "\(variable)=\(value)")
    }
  }
}

extension Provider {
  /// The variables that lead the vendor's SDKs to a sandbox.
  static func environment(of sandbox: Sandbox, at url: String) throws -> [(name: String, value: String)] {
    let credentials = try credentials(of: sandbox)
    return variables.compactMap { variable in
      switch variable.content {
      case .baseURL: (variable.name, url)
      case .credential(let wanted):
        credentials.first { $0.name == wanted }.map { (variable.name, $0.value) }
      case .fileOf: nil
      }
    }
  }
}

extension SeedFiles {
  /// The default sandbox as a fresh start makes it, in memory, for commands that need no server.
  static func freshSandboxes(folders: [String] = [], origin: Sandbox.Origin = .init()) throws -> Sandboxes {
    let settings = Sandboxes.Settings(makeKey: SigningKey.p256) {
      Timestamp(milliseconds: EventLoop.wallClockMilliseconds())
    }
    return try Sandboxes(
      in: Connection(.memory), settings: settings, seeds: library(folders: folders), defaultOrigin: origin)
  }
}
