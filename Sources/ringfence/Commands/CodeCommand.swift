import ArgumentParser
import Catalog
import Domain
import ProviderKit

/// `ringfence code NUMBER`: says offline which code a verification will have. Source: DESIGN 4.
struct CodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "code", abstract: "Say which code a number gets, without asking a server.")

  @Argument(help: "The phone number or email address.")
  var number: String
  @Option(help: "The provider that sends it: codes of one number differ by provider.")
  var provider = "twilio"
  @Option(help: "Which verification of the number with this provider, counted from 1.")
  var ordinal = 1
  @Option(help: "Digits of the code.")
  var length = 6
  @Option(help: "The number behind all chance of the sandbox.")
  var entropySeed = 1

  func validate() throws {
    guard catalog.contains(where: { $0.name == provider }) else {
      throw ValidationError("--provider: expected one of \(catalog.map { $0.name }.joined(separator: ", "))")
    }
    guard (1...32).contains(length) else { throw ValidationError("--length: expected 1 to 32") }
    guard ordinal >= 1 else { throw ValidationError("--ordinal: expected a whole number from 1") }
  }

  func run() throws {
    var origin = Sandbox.Configuration()
    origin.entropySeed = entropySeed
    let sandbox = try SeedFiles.freshSandboxes(origin: origin).defaultSandbox
    let claim = Claim(provider: provider, owner: "", destination: number)
    let subscriber = try PhoneNumber(number).map { try sandbox.subscribers[$0] }
    print(sandbox.codes.code(for: claim, series: ordinal, length: length, subscriber: subscriber))
  }
}
