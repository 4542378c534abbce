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

  /// The variables that SDKs and their documentation use, by provider and credential. Source: DESIGN 8.
  static let variables: [String: [(credential: String, variable: String)]] = [
    "prelude": [("apiToken", "API_TOKEN")],
    "telesign": [("customerId", "TELESIGN_CUSTOMER_ID"), ("apiKey", "TELESIGN_API_KEY")],
    "twilio": [
      ("accountSid", "TWILIO_ACCOUNT_SID"), ("authToken", "TWILIO_AUTH_TOKEN"),
      ("serviceSid", "TWILIO_VERIFY_SERVICE_SID"),
    ],
  ]

  /// The variables in which SDKs look for where the provider is.
  static let baseVariables = ["prelude": "PRELUDE_BASE_URL"]

  func run() throws {
    let sandboxes = try SeedFiles.freshSandboxes()
    var lines = [("RINGFENCE_URL", url), ("RINGFENCE_GATEWAY_URL", gateway)]
    for section in sandboxes.seeds.sections {
      if let variable = Self.baseVariables[section.name] { lines.append((variable, url)) }
      let values = try section.credentials(sandboxes.standard)
      for (credential, variable) in Self.variables[section.name] ?? [] {
        if let value = values.first(where: { $0.name == credential })?.value {
          lines.append((variable, value))
        }
      }
    }
    for (variable, value) in lines {
      print(shell ? "export \(variable)='\(value)'" : "\(variable)=\(value)")
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
