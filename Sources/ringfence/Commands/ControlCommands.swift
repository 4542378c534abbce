import ArgumentParser
import HTTP
import JSON

/// `ringfence inbox [NUMBER]`
struct InboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox", abstract: "Show the messages that phones have received.")

  @Argument(help: "Only messages to this phone number or email address.")
  var number: String?
  @Flag(help: "Keep running and show new messages as they arrive.")
  var follow = false
  @OptionGroup(title: "Server") var server: ServerOption

  func run() throws {
    let client = try server.client
    let path = "/control/inbox" + (number.map { "/" + PercentCoding.encode($0) } ?? "")
    guard follow else {
      let messages = try client.entries("messages", of: "\(path)?")
      if messages.isEmpty, !server.json { return reportEmptiness(path, client) }
      return try server.show(.object([.init(name: "messages", value: .array(messages))])) { _ in
        try Self.table(messages).lines()
      }
    }
    try FollowedList(path: path, name: "messages", "").follow(client) { messages, isFirst in
      if server.json { return messages.forEach(Output.json) }
      if messages.isEmpty { reportEmptiness(path, client) }
      Output.lines(try Self.table(messages).lines(withHeader: isFirst))
    }
  }

  private static func table(_ messages: [JSON]) throws -> Table {
    var table = Table(["TIME", "PROVIDER", "CHANNEL", "TO", "CODE"], minimums: [19, 8, 8, 14])
    for message in try messages.map({ try Fields($0) }) {
      table.add([
        try message.string("submittedAt").asTime, try message.string("provider"),
        try message.string("channel"), try message.string("to"), try message.optionalString("code") ?? "-",
      ])
      table.note(try message.string("text"))
    }
    return table
  }

  /// Says that there is no message, and why none will come to the number, if the server knows.
  private func reportEmptiness(_ path: String, _ client: ControlClient) {
    guard number != nil else { return Output.errorLine("there are no messages yet") }
    do {
      _ = try client.get("\(path)/latest")
    } catch {
      Output.errorLine("\(error)")
    }
  }
}

/// `ringfence clock …`
struct ClockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Show or change the time in the sandbox.",
    subcommands: [Show.self, Advance.self, SetTime.self, Freeze.self, Release.self],
    defaultSubcommand: Show.self)

  private static func get(from server: ServerOption) throws {
    try server.show(server.client.getJSON("/control/clock"), lines)
  }

  /// Says each second how far the clock is, because a long way with many webhooks takes time.
  private static func post(_ change: JSON.Member, to server: ServerOption) throws {
    let client = try server.client
    var answer = try client.post("/control/clock?wait=1", .object([change]))
    while let clock = try? Fields(answer), let target = try clock.optionalString("towards") {
      Output.errorLine("\(try clock.string("now")), on the way to \(target)")
      answer = try client.getJSON("/control/clock?wait=1")
    }
    try server.show(answer, lines)
  }

  private static func lines(of clock: Fields) throws -> [String] {
    ["\(try clock.string("now")) (\(try clock.string("mode")))"]
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the time.")
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws { try ClockCommand.get(from: server) }
  }

  struct Advance: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Move the clock forward. Scheduled work, such as expiries and webhooks, runs on the way.")
    @Argument(help: "A duration, such as 10m, 601s or 1h30m.") var span: String
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws { try ClockCommand.post(.init(name: "advance", value: .string(span)), to: server) }
  }

  struct SetTime: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Set the time.")
    @Argument(help: "A time in ISO 8601, such as 2026-01-05T10:20:30Z.") var time: String
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws { try ClockCommand.post(.init(name: "set", value: .string(time)), to: server) }
  }

  struct Freeze: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Stop the clock.")
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws { try ClockCommand.post(.init(name: "mode", value: .string("frozen")), to: server) }
  }

  struct Release: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Follow the real time again.")
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws { try ClockCommand.post(.init(name: "mode", value: .string("real")), to: server) }
  }
}
