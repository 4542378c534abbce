import ArgumentParser
import Catalog
import Control
import ProviderKit

/// `ringfence code NUMBER`: computes a code without a server, or asks one.
struct CodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "code", abstract: "Compute the code that a number will get, without a server.",
    discussion: "With --sandbox or --url, the server is asked for the code that the number got last.")

  @Argument(help: "The phone number or email address.")
  var number: String
  @Option(
    help: """
      The provider that sends the code: \(names.joined(separator: ", ")). Each provider sends a different one. \
      Default: all, one per line.
      """, completion: .list(names))
  var provider: String?
  @Option(help: "Which verification of this number with this provider, starting at 1.")
  var ordinal = 1
  @Option(help: "The number of digits.")
  var length = 6
  @Option(help: "The sandbox's random seed.")
  var entropySeed = 1
  @Option(
    help: """
      With --sandbox or --url: a regular expression that finds the code in the text. Its first group, or its match, is \
      the code.
      """)
  var pattern: String?
  @OptionGroup(title: "Server") var server: ServerOption

  private var asksServer: Bool { server.isGiven }

  private static let senders = catalog.filter { $0.sendsCodes }
  private static let names = senders.map { $0.name }

  func validate() throws {
    guard PhoneNumber(number) != nil || EmailAddress.isValid(number) else {
      let meant =
        PhoneNumber.suggestion(for: number, in: PhoneNumber.seededCountry)
        .map { "; did you mean \($0)?" } ?? ""
      throw ValidationError(
        "expected \(PhoneNumber.expected), or an email address; found \(number)\(meant)")
    }
    if let provider, !Self.names.contains(provider) {
      throw ValidationError("--provider: \(Self.names.expectation(found: provider))")
    }
    guard (1...32).contains(length) else {
      throw ValidationError("--length: expected 1 to 32; found \(length)")
    }
    guard ordinal >= 1 else {
      throw ValidationError("--ordinal: expected an integer of at least 1; found \(ordinal)")
    }
    guard entropySeed >= 0 else {
      throw ValidationError("--entropy-seed: expected an integer of at least 0; found \(entropySeed)")
    }
    guard !asksServer || (ordinal, length, entropySeed) == (1, 6, 1) else {
      throw ValidationError(
        "--ordinal, --length and --entropy-seed have no effect with --sandbox or --url: the server knows the code"
      )
    }
    guard asksServer || pattern == nil else {
      throw ValidationError(
        "--pattern has an effect only with --sandbox or --url: it reads the server's texts")
    }
  }

  func run() throws {
    guard !asksServer else {
      let found = try foundCode
      guard let code = try Fields(found).optionalString("code") else {
        throw CommandFailure("no code for \(number): \(try Fields(found).string("why"))")
      }
      if let newer = try Fields(found).optionalObject("newer") {
        Output.errorLine(
          "a newer message, \(try newer.string("message")), has no code: \(try newer.string("why"))")
      }
      return try server.show(found) { _ in [code] }
    }
    let codes = try computedCodes
    try server.show(.object(codes.map { JSON.Member($0.provider, $0.code) })) { _ in
      codes.map { provider == nil ? "\($0.provider) \($0.code)" : $0.code }
    }
  }

  /// The last one that has arrived.
  private var foundCode: JSON {
    get throws {
      let filter = query([("provider", provider), ("pattern", pattern)])
      return try server.client.getJSON("/control/inbox/\(PercentCoding.encode(number))/code?\(filter)")
    }
  }

  private var computedCodes: [(provider: String, code: String)] {
    get throws {
      var origin = Sandbox.Configuration()
      origin.entropySeed = entropySeed
      let sandbox = try SeedFiles.freshSandboxes(origin: origin).defaultSandbox
      let phone = PhoneNumber(number)
      let subscriber = try phone.map { try sandbox.subscribers[$0] }
      return Self.senders.filter { provider == nil || provider == $0.name }.map { sender in
        let claim = Claim(provider: sender.name, owner: "", destination: number)
        let code =
          phone.flatMap { sender.fixedCode(for: $0) }
          ?? sandbox.codes.code(for: claim, series: ordinal, length: length, subscriber: subscriber)
        return (sender.name, code)
      }
    }
  }
}

/// `ringfence seed check FILE…` and `ringfence seed schema`
struct SeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed", abstract: "Work with seed files.", subcommands: [Check.self, PrintSchema.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Validate seed files, and the stories of workshops in a folder named workshops.")
    @Argument(help: "Seed files, or folders with them.") var files: [String]
    @Flag(help: "Print the results as JSON.") var json = false

    func validate() throws {
      guard !files.isEmpty else { throw ValidationError("expected at least one file") }
    }

    func run() throws {
      let sandboxes = try SeedFiles.freshSandboxes()
      let results = try files.flatMap(SeedFiles.all).map { path in
        do {
          try check(path, in: sandboxes)
          return (path: path, error: String?.none)
        } catch let error as FieldError {
          return (path, "\(error)")
        }
      }
      if json {
        let entries = results.map { JSON.object([.init("file", $0.path), .init("error", $0.error)]) }
        Output.json(.object([.init(name: "files", value: .array(entries))]))
      } else {
        for (path, error) in results {
          if let error { Output.errorLine("\(path): \(error)") } else { Output.line("\(path): ok") }
        }
      }
      guard results.allSatisfy({ $0.error == nil }) else { throw ExitCode.failure }
    }

    private func check(_ path: String, in sandboxes: Sandboxes) throws {
      let fields = try Fields(SeedFiles.file(path).bytes, limits: .seed)
      if SeedFiles.isStory(path) {
        _ = try sandboxes.seeds.story(fields)
      } else {
        try sandboxes.seeds.load(fields, into: sandboxes.defaultSandbox)
      }
    }
  }

  struct PrintSchema: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema", abstract: "Print the JSON Schema of seeds, for editors (Seeds/schema.json).")

    @Flag(help: "Print the schema of workshops' stories instead (Seeds/story-schema.json).") var story = false

    func run() throws {
      guard !story else { return Output.bytes(SeedSchema.storyDocument) }
      Output.bytes(SeedSchema.document(sections: catalog.sorted { $0.name < $1.name }))
    }
  }
}
