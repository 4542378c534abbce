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
  @OptionGroup var server: ServerOption

  func run() throws {
    let client = try server.client
    let path = "/control/inbox" + (number.map { "/" + PercentCoding.encode($0) } ?? "")
    var (cursor, hasMore) = (0, true)
    repeat {
      let answer = try client.get("\(path)?limit=1000&after=\(cursor)&wait=\(follow && !hasMore ? 30 : 0)")
      let messages = try answer.objects("messages")
      if cursor == 0, messages.isEmpty, hasMore { reportEmptiness(path, client) }
      for message in messages {
        let (time, channel) = (try message.string("submittedAt"), try message.string("channel"))
        Output.line("\(time)  \(channel) to \(try message.string("to")): \(try message.string("text"))")
      }
      (cursor, hasMore) = (try answer.int("cursor"), try answer.bool("hasMore"))
    } while follow || hasMore
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

  private static func get(from server: ServerOption) throws { try show(server.client.get("/control/clock")) }

  /// Says each second how far the clock is, because a long way with many webhooks takes time.
  private static func post(_ change: JSON.Member, to server: ServerOption) throws {
    let client = try server.client
    var answer = try client.post("/control/clock?wait=1", .object([change]))
    while let target = try answer.optionalString("towards") {
      Output.errorLine("\(try answer.string("now")), on the way to \(target)")
      answer = try client.get("/control/clock?wait=1")
    }
    try show(answer)
  }

  private static func show(_ answer: Fields) throws {
    print("\(try answer.string("now")) (\(try answer.string("mode")))")
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the time.")
    @OptionGroup var server: ServerOption

    func run() throws { try ClockCommand.get(from: server) }
  }

  struct Advance: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "advance",
      abstract: "Move the clock forward. Scheduled work, such as expiries and webhooks, runs on the way.")
    @Argument(help: "A duration, such as 10m, 601s or 1h30m.") var span: String
    @OptionGroup var server: ServerOption

    func run() throws { try ClockCommand.post(.init(name: "advance", value: .string(span)), to: server) }
  }

  struct SetTime: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Set the time.")
    @Argument(help: "A time in ISO 8601, such as 2026-01-05T10:20:30Z.") var time: String
    @OptionGroup var server: ServerOption

    func run() throws { try ClockCommand.post(.init(name: "set", value: .string(time)), to: server) }
  }

  struct Freeze: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "freeze", abstract: "Stop the clock.")
    @OptionGroup var server: ServerOption

    func run() throws { try ClockCommand.post(.init(name: "mode", value: .string("frozen")), to: server) }
  }

  struct Release: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "release", abstract: "Follow the real time again.")
    @OptionGroup var server: ServerOption

    func run() throws { try ClockCommand.post(.init(name: "mode", value: .string("real")), to: server) }
  }
}
