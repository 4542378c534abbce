import ArgumentParser
import HTTP
import JSON

/// `ringfence failures …`
struct FailuresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "failures", abstract: "List the kinds of failure, produce one, or undo it.",
    subcommands: [List.self, Show.self, Produce.self, Undo.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the kinds of failure.")
    @Option(
      help: "Only failures that an app meets in this flow, such as sms, check or push.", completion: .flows)
    var flow: String?
    @OptionGroup var server: ServerOption

    func run() throws {
      let answer = try server.client.getJSON("/control/failures?\(query([("flow", flow)]))")
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
      abstract: "Show a kind of failure, the request that produces it, and what each provider shows.")
    @Argument(help: "Its id, such as text-lost.", completion: .failures) var id: String
    @OptionGroup var server: ServerOption

    func run() throws {
      let client = try server.client
      let failure = try ProducibleFailure(id, at: client)
      let answer = try client.getJSON("/control/failures/\(failure.id)")
      try server.show(answer) { failure.lines + (try Self.table(of: $0).lines()) }
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
    @OptionGroup var server: ServerOption

    func run() throws {
      let client = try server.client
      let failure = try ProducibleFailure(id, at: client)
      let limits = JSON.Member.given(["provider": provider, "number": to])
      let answer = try failure.produce(limits, times: times, at: client)
      try server.show(answer) { _ in
        failure.effect.wrapped(to: Terminal.width)
          + [
            failure.isUndoable
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
    @OptionGroup var server: ServerOption

    func run() throws {
      let client = try server.client
      let answer = try ProducibleFailure(id, at: client).undo(to: to, at: client)
      try server.show(answer) { _ in ["\(id) is undone\(to.map { " for \($0)" } ?? "")."] }
    }
  }
}
