import ArgumentParser
import Domain
import JSON

/// `ringfence faults list`, `ringfence scenarios list`
struct ListRules<Content: Rule>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "list", abstract: "List the \(Content.noun)s.")
  }

  @OptionGroup(title: "Server") var server: ServerOption

  func run() throws {
    let list = try RuleList(Content.self, at: server)
    try list.show(list.document(), by: server)
  }
}

/// `ringfence faults remove`, `ringfence scenarios remove`
struct RemoveRules<Content: Rule>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "remove", abstract: "Remove \(Content.noun)s.")
  }

  @OptionGroup var positions: RulePositions
  @OptionGroup(title: "Server") var server: ServerOption

  func run() throws {
    let list = try RuleList(Content.self, at: server)
    try list.show(positions.remove(from: list), by: server)
  }
}

/// `ringfence faults …`
struct FaultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults", abstract: "List, add or remove faults: rules about requests that fail on purpose.",
    subcommands: [ListRules<Fault>.self, Add.self, RemoveRules<Fault>.self, Options.self],
    defaultSubcommand: ListRules<Fault>.self)

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a fault before the others.",
      discussion: """
        The names of routes and codes: ringfence faults options.
        """)
    @Argument(help: "The fault as JSON. Options add to it.", transform: JSON.rule) var rule: JSON?
    @Option(help: "Only requests to this provider.", completion: .providers) var provider: String?
    @Option(help: "Only requests to the route of this name.") var route: String?
    @Option(help: "Only requests with this phone number or email address.") var number: String?
    @Option(help: "Only requests with this text in path, query or body.") var contains: String?
    @OptionGroup var turn: TurnOptions
    @Option(help: "How often to act.") var times: Int?
    @Option(help: "Answer with the provider's error of this status.") var status: Int?
    @Option(help: "Answer with the provider's error of this code.") var code: String?
    @Option(help: "Seconds in Retry-After.") var retryAfter: Int?
    @Option(help: "Milliseconds until the answer.") var latencyMs: Int?
    @Option(
      help: "Damage the answer: \(damages.joined(separator: ", ")).", completion: .list(damages))
    var damage: String?
    @Option(help: "Fail before the request's work, or after it.", completion: .list(["before", "after"]))
    var when: String?
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let list = try RuleList(Fault.self, at: server)
      var members = JSON.Member.given(
        [
          "provider": provider, "route": route, "number": number, "contains": contains, "code": code,
          "damage": damage, "when": when,
        ],
        ["times": times, "status": status, "retryAfter": retryAfter, "latencyMs": latencyMs])
      members += turn.members
      guard rule != nil || !members.isEmpty else {
        throw ValidationError("expected a fault as JSON, or options such as --provider twilio --status 503")
      }
      try list.show(list.add((rule ?? .object([])).adding(members)), by: server)
    }
  }

  struct Options: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the routes and error codes that faults can name.")
    @Option(help: "Only this provider.", completion: .providers) var provider: String?
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let answer = try server.client.getJSON(
        "/control/faults/options?\(query([("provider", provider)]))")
      try server.show(answer) { answer in
        var table = Table(["PROVIDER", "ROUTE", "METHOD", "PATH"])
        var codes: [String] = []
        for provider in try answer.objects("providers") {
          let name = try provider.string("name")
          for route in try provider.objects("routes") {
            table.add([
              name, try route.string("name"), try route.string("method"), try route.string("path"),
            ])
          }
          let known = try provider.optionalStrings("codes") ?? []
          guard !known.isEmpty else { continue }
          codes += ["", "Codes of \(name):"]
          codes += known.joined(separator: " ").wrapped(to: Terminal.width - 2).map { "  \($0)" }
        }
        return table.lines() + codes
      }
    }
  }
}

/// Which of its matches a rule acts on.
struct TurnOptions: ParsableArguments {
  @Option(help: "The first match to act on, counted from 1.") var nth: Int?
  @Option(help: "Act on one of so many matches, such as 3 for each third.") var every: Int?
  @Option(help: "Act on this share of the matches, such as 0.2 for 20 %.") var rate: Double?

  var members: [JSON.Member] {
    JSON.Member.given([:], ["nth": nth, "every": every])
      + (rate.map { [JSON.Member(name: "rate", value: .double($0))] } ?? [])
  }
}

private let damages = Fault.Damage.allCases.map(\.rawValue)

/// `ringfence scenarios …`
struct ScenariosCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenarios",
    abstract: "List, add or remove scenarios: rules about messages, calls and silent verifications.",
    subcommands: [ListRules<Scenario>.self, Add.self, RemoveRules<Scenario>.self],
    defaultSubcommand: ListRules<Scenario>.self)

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a scenario before the others.",
      discussion: "All outcomes: ringfence docs carrier.")
    @Argument(help: "The scenario as JSON. Options add to it.", transform: JSON.rule) var rule: JSON?
    @Option(help: "Only messages to this phone number or email address.") var number: String?
    @Option(help: "Only messages of this channel.", completion: .list(Channel.allCases.map(\.rawValue)))
    var channel: String?
    @Option(help: "Only messages of this provider.", completion: .providers) var provider: String?
    @OptionGroup var turn: TurnOptions
    @Option(help: "What happens to the message, such as undeliverable.", completion: .outcomes)
    var outcome: String?
    @Option(help: "Milliseconds until it happens.") var afterMs: Int?
    @Option(help: "How often to act.") var times: Int?
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let list = try RuleList(Scenario.self, at: server)
      let match =
        JSON.Member.given(["number": number, "channel": channel, "provider": provider]) + turn.members
      let members = JSON.Member.given(["outcome": outcome], ["afterMs": afterMs, "times": times])
      guard rule != nil || !members.isEmpty else {
        throw ValidationError("expected a scenario as JSON, or options such as --outcome undeliverable")
      }
      var scenario = (rule ?? .object([])).adding(members)
      if !match.isEmpty {
        scenario = scenario.adding([
          .init(name: "match", value: (scenario["match"] ?? .object([])).adding(match))
        ])
      }
      try list.show(list.add(scenario), by: server)
    }
  }
}
