import ArgumentParser
import Basics
import Crypto
import Database
import Domain
import HTTP
import Logging
import Server

/// The options of every command that runs a server.
struct ServerOptions: ParsableArguments {
  @Option(
    help: "open: the default sandbox accepts unknown, well-formed accounts. strict: it rejects them.",
    completion: .list(["open", "strict"]))
  var auth: String?
  @Option(
    help: """
      open: every phone number that can exist. safe-only: only numbers that are reserved for fiction and tests. any: every \
      number, even an impossible one.
      """, completion: .list(NumberPlan.Policy.allCases.map(\.rawValue)))
  var numbers: String?
  @Option(
    help: """
      Folders with additional seeds, separated by colons. The files of a folder extend the default seed; each subfolder \
      is a seed with its own name.
      """)
  var seeds: String?
  @Option(help: "Seeds to load after the default one: names of subfolders of --seeds, separated by commas.")
  var seed: String?
  @Option(
    help:
      "Random seed of the default sandbox. Default: 1; where a token is required, one that nobody can guess.")
  var entropySeed: String?
  @Option(help: "Freeze the clock of the default sandbox at this time.")
  var clock: String?
  @Option(
    help:
      "Hosts other than this machine that webhooks may be sent to, separated by commas; *.NAME and * are allowed."
  )
  var webhookAllow: String?
  @Option(
    help: "A PEM file with certificate authorities to trust for webhooks, in addition to this machine's.")
  var webhookCa: String?
  @Option(
    help: """
      Hosts other than the providers' that clients may reach through the proxy, separated by commas; *.NAME and all are \
      allowed.
      """)
  var proxyTunnel: String?
  @Option(help: "A JSON file with options.")
  var config: String?

  /// The command line's values by option name.
  var flags: [String: String?] {
    [
      "auth": auth, "numbers": numbers, "seeds": seeds, "seed": seed, "entropy-seed": entropySeed,
      "clock": clock,
      "webhook-allow": webhookAllow, "webhook-ca": webhookCa, "proxy-tunnel": proxyTunnel,
      "config": config,
    ]
  }
}

struct ServerSettings {
  var location = Location.memory
  var durability = Durability.normal
  var acceptsUnknownAccounts = true
  var numbers = NumberPlan.Policy.open
  /// How many recent records to keep per sandbox; nil for the default.
  var historySpan: Int?
  /// Nil for the default.
  var maxSandboxes: Int?
  /// The number of requests in a sandbox's journal; nil for the default.
  var journalCapacity: Int?
  /// How long after its last request each sandbox is removed; nil for never.
  var sandboxTTL: Duration?
  /// The name of this server among several; nil if it is the only one.
  var shard: Shard?
  /// Without a path.
  var publicURL: AbsoluteURL?
  /// The reverse proxies in front of the server.
  var proxies = TrustedProxies()
  /// The default sandbox's random seed and clock.
  var origin = Sandbox.Configuration()
  var webhookClient = HTTPClient.Configuration()
  /// Nil to load it from `authorityFolder` when it is first needed.
  var authority: CertificateAuthority?
  var authorityFolder = Authority.userFolder
  /// The certificate of `--tls-certificate`.
  var certificate: OwnCertificate?
  /// Reads its files again.
  var readCertificate: () throws -> OwnCertificate? = { nil }
  /// Nil for none.
  var backups: Backups.Settings?
  var accessLog: AccessLogSettings?
  /// The folder to write trust files into, if any.
  var trustFolder: String?
  /// Outside hosts that the proxy connects to.
  var tunnels = HostList()
  var access = AccessSettings()
  var seeds: SeedLibrary
  /// True if something is read or opened again on SIGHUP.
  var reloads: Bool { certificate != nil || accessLog?.isFile ?? false }
  /// Notes about seeds of `--seeds` that the default sandbox does not load, and about files that are no
  /// seeds.
  let seedNotes: [String]

  /// Settings of a server in memory.
  init(_ options: Configuration) throws {
    let folders = (options.text("seeds") ?? "").split(separator: ":").map(String.init)
    do {
      seeds = try SeedFiles.library(folders: folders)
    } catch let failure as Files.Failure {
      throw ValidationError("\(options.source(of: "seeds")): \(failure)")
    }
    origin.seeds += try Self.namedSeeds(options, in: seeds)
    seedNotes = try SeedFiles.notes(about: folders, loading: origin.seeds)
    acceptsUnknownAccounts = try options.choice("auth", ["open", "strict"]) == "open"
    let policies = NumberPlan.Policy.allCases.map(\.rawValue)
    numbers = NumberPlan.Policy(rawValue: try options.choice("numbers", policies)) ?? .open
    origin.entropySeed = try options.number("entropy-seed")
    webhookClient.destinations = Destinations(allowing: try options.hosts("webhook-allow", all: "*"))
    tunnels = HostList(try options.hosts("proxy-tunnel"))
    if let file = options.text("webhook-ca") { webhookClient.authorities = [file] }
    if let time = try options.time("clock") { origin.clock = .frozen(time) }
    try options.requireValues()
  }

  private static func namedSeeds(_ options: Configuration, in library: SeedLibrary) throws -> [String] {
    let known = library.files.keys.filter { $0 != Sandboxes.defaultName }.sorted()
    let names = options.list("seed").filter { $0 != Sandboxes.defaultName }
    for name in names where !known.contains(name) {
      let expectation =
        known.isEmpty
        ? "expected the name of a subfolder of --seeds, but it has none; found \(name)"
        : known.expectation(found: name)
      throw ValidationError("\(options.source(of: "seed")): \(expectation)")
    }
    return names
  }
}

extension SandboxName {
  /// Validates the argument of `--sandbox`.
  static func text(_ argument: String) throws -> String {
    guard let name = SandboxName(argument) else {
      throw ValidationError("expected 1 to 64 letters, digits, -, _ and .; found \(argument)")
    }
    return name.text
  }
}

extension Logger {
  /// Writes to standard error.
  static var standard: Logger {
    Logger(label: "ringfence") { StreamLogHandler(label: $0, stream: LogLines()) }
  }
}

/// Standard error, for texts that end with a line break and have no other.
private struct LogLines: TextOutputStream {
  func write(_ text: String) { Output.errorLine(String(text.dropLast()).onOneLine) }
}
