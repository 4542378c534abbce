import ArgumentParser
import Control
import HTTP
import JSON

/// `ringfence failures …`
struct FailuresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "failures", abstract: "List the kinds of failure, produce one, or undo it.",
    subcommands: [List.self, Show.self, Produce.self, Undo.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the kinds of failure.", discussion: noServer)
    @Option(
      help: "Only failures that an app meets in this flow, such as sms, check or push.", completion: .flows)
    var flow: String?
    @OptionGroup(title: "Server") var server: ServerOption

    func validate() throws {
      let flows = FailureGroup.Flow.allCases.map(\.rawValue)
      guard let flow, !flows.contains(flow) else { return }
      throw ValidationError("--flow: \(flows.expectation(found: flow))")
    }

    func run() throws {
      let answer =
        server.isGiven
        ? try server.client.getJSON("/control/failures?\(query([("flow", flow)]))")
        : try JSON(
          parsing: ControlAPI.failureList.encode(
            FailureGroup.all(of: flow.flatMap(FailureGroup.Flow.init))))
      try server.show(answer) { answer in
        try answer.objects("groups").flatMap { group in
          var table = Table([try group.string("name").uppercased(), ""], minimums: [24])
          for failure in try group.objects("failures") {
            table.add([try failure.string("id"), try failure.string("effect")])
          }
          return table.lines() + [""]
        }.dropLast()
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a kind of failure, the request that produces it, and what each provider shows.",
      discussion: noServer)
    @Argument(help: "Its id, such as text-lost.", completion: .failures) var id: String
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let answer = try server.isGiven ? naming { try server.client.getJSON(path(of: id)) } : known
      try server.show(answer) { try Self.lines(of: $0) + (try Self.table(of: $0).lines()) }
    }

    /// What a server would answer.
    private var known: JSON {
      get throws {
        guard let failure = Failure.named(id) else {
          throw CommandFailure("there is no \(withCommands(Failure.unknown(id)))")
        }
        let names = try SeedFiles.library(folders: []).names
        return try JSON(parsing: ControlAPI.failure.encode(failure.shown(with: names)))
      }
    }

    private static func lines(of failure: Fields) throws -> [String] {
      var facts: [(String, String?)] = try ["id", "name", "effect"].map { ($0, try failure.string($0)) }
      for (name, member) in [("request", "request"), ("undone by", "repair")] {
        guard let request = try failure.optionalObject(member) else { continue }
        let body = String(decoding: try request.json("body").encoded(), as: UTF8.self)
        facts.append((name, "\(try request.string("method")) \(try request.string("path")) \(body)"))
      }
      facts.append(("steps", try failure.optionalString("manual")))
      facts.append(
        ("number", try failure.optionalString("number").map { "\($0) behaves so without any request" }))
      let margin = 11
      return facts.flatMap { name, text in
        guard let text else { return [String]() }
        return text.wrapped(to: Terminal.width - margin).enumerated().map { index, line in
          (index == 0 ? name : "").padded(to: margin) + line
        }
      }
    }

    /// What an app sees with each provider.
    private static func table(of failure: Fields) throws -> Table {
      var table = Table(["PROVIDER", "PLACE", "SHOWS", "INSTEAD OF"])
      for provider in try failure.objects("providers") {
        let places = try provider.objects("places")
        let name = try provider.string("provider")
        if places.isEmpty { table.add([name, "", "nothing else than usual", ""]) }
        for place in places {
          table.add([
            name, try place.string("name"), try place.string("value"),
            try place.optionalString("usual") ?? "",
          ])
        }
      }
      return table
    }
  }

  struct Produce: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Let a failure happen until it is undone.")
    @Argument(help: "Its id, such as text-lost.", completion: .failures) var id: String
    @Option(
      help: "The phone number or email address to which it happens. Default: all, where that is possible.")
    var to: String?
    @Option(help: "Only with this provider.", completion: .providers) var provider: String?
    @Option(help: "How often. Default: every time.") var times: Int?
    @OptionGroup var turn: TurnOptions
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      var limits = JSON.Member.given(["provider": provider, "number": to], ["times": times])
      if !turn.members.isEmpty { limits.append(.init(name: "rule", value: .object(turn.members))) }
      let answer = try naming { try server.client.post(path(of: id), .object(limits)) }
      try server.show(answer) { failure in
        let request = try failure.optionalObject("request")
        let isRule = try request?.string("method") == "PUT" && request?.string("path").contains("{") == false
        return try failure.string("effect").wrapped(to: Terminal.width)
          + [
            isRule || failure.has("repair")
              ? "To undo it: ringfence failures undo \(id)\(to.map { " --to \($0)" } ?? "")"
              : "Nothing undoes it but: ringfence sandbox reset"
          ]
      }
    }
  }

  struct Undo: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Undo a failure.")
    @Argument(help: "Its id, such as text-lost.", completion: .failures) var id: String
    @Option(help: "The phone number or email address to which it happens. Default: all.") var to: String?
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      try naming { try server.client.delete("\(path(of: id))?\(query([("number", to)]))") }
      server.show("\(id) is undone\(to.map { " for \($0)" } ?? "").")
    }
  }
}

private let noServer = "With --sandbox or --url, the server is asked; by default the program itself knows."

private func path(of failure: String) -> String { "/control/failures/\(PercentCoding.encode(failure))" }

/// The result of a request; an error names options instead of the members that the server names.
private func naming<Result>(_ request: () throws -> Result) throws -> Result {
  do {
    return try request()
  } catch let refusal as ControlClient.Rejection {
    throw CommandFailure(
      withCommands(refusal.description).replacing("$.number", with: "--to").replacing(
        "number: ", with: "--to: "
      )
      .replacing("$.match.", with: "--").replacing("$.", with: "--"))
  }
}

private func withCommands(_ text: String) -> String {
  text.replacing("GET /control/failures", with: "ringfence failures")
}
