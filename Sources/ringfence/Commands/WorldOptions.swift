import ArgumentParser
import Domain
import HTTP
import Logging
import Server

/// What can be said of the world that is served, whichever command serves it.
struct WorldOptions: ParsableArguments {
  @Option(help: "open lets unknown, well-formed accounts into the default sandbox, strict refuses them.")
  var auth: String?
  @Option(help: "open takes any phone number, safe-only refuses those that may belong to somebody.")
  var numbers: String?
  @Option(help: "Folders with further stories, parted by colons.")
  var seeds: String?
  @Option(help: "The number behind all chance of the sandbox that is there from the start.")
  var entropySeed: String?
  @Option(help: "Freezes that sandbox's clock at this time.")
  var clock: String?
  @Option(help: "Hosts beside this machine that webhooks may go to, parted by commas; *.NAME and * work.")
  var webhookAllow: String?
  @Option(help: "A PEM file with authorities to trust in webhook receivers, beside the machine's own.")
  var webhookCa: String?
  @Option(
    help:
      "Hosts beside the vendors' that the proxy lets clients reach, parted by commas; *.NAME and all work.")
  var proxyTunnel: String?
  @Option(help: "A JSON file with options.")
  var config: String?

  /// The words at the command line, by an option's long name.
  var flags: [String: String?] {
    [
      "auth": auth, "numbers": numbers, "seeds": seeds, "entropy-seed": entropySeed, "clock": clock,
      "webhook-allow": webhookAllow, "webhook-ca": webhookCa, "proxy-tunnel": proxyTunnel,
      "config": config,
    ]
  }

  /// A world in memory by these options.
  static func setup(_ options: Configuration) throws -> Setup {
    let folders = (options.text("seeds") ?? "").split(separator: ":").map(String.init)
    var setup = Setup(seeds: try SeedFiles.library(folders: folders))
    setup.acceptsUnknownAccounts = try options.word("auth", ["open", "strict"]) == "open"
    let policies = NumberPlan.Policy.allCases.map(\.rawValue)
    setup.numbers = NumberPlan.Policy(rawValue: try options.word("numbers", policies)) ?? .open
    setup.origin.entropySeed = try options.number("entropy-seed") ?? setup.origin.entropySeed
    setup.outgoing.destinations = Destinations(allowing: options.list("webhook-allow"))
    setup.tunnels = HostList(try options.hosts("proxy-tunnel"))
    if let file = options.text("webhook-ca") { setup.outgoing.authorities = [file] }
    if let time = try options.time("clock") { setup.origin.clock = .frozen(time) }
    return setup
  }
}

extension SandboxName {
  /// A name that was given to an option, where it is one.
  static func text(_ argument: String) throws -> String {
    guard let name = SandboxName(argument) else {
      throw ValidationError("expected 1 to 64 letters, digits, -, _ and .")
    }
    return name.text
  }
}

extension Logger {
  /// What the person who started the program should know, on standard error.
  static var standard: Logger {
    Logger(label: "ringfence") { StreamLogHandler.standardError(label: $0) }
  }
}
