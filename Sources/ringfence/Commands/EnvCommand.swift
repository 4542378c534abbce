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
    let place = AppEnvironment.Place(url: url, gateway: gateway)
    let environment = try AppEnvironment(of: sandbox, at: place, filesIn: Authority.userFolder)
    for entry in environment.entries {
      print(shell ? "export \(entry.name)='\(entry.value)'" : "\(entry.name)=\(entry.value)")
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
