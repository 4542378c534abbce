import ArgumentParser
import JSON

/// `ringfence inbox [NUMBER]`
struct InboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox", abstract: "Show the messages that phones have received.")

  @Argument(help: "Only messages to this phone number or email address.")
  var number: String?
  @Flag(help: "Keep running and show new messages as they arrive.")
  var follow = false
  @Option(help: "The server's address.")
  var url = ControlClient.defaultURL
  @OptionGroup var token: AdminTokenOption

  func run() throws {
    let client = try ControlClient(url, token: token)
    let path = "/control/inbox" + (number.map { "/" + $0 } ?? "")
    var (cursor, hasMore) = (0, true)
    repeat {
      let answer = try client.get("\(path)?limit=1000&after=\(cursor)&wait=\(follow && !hasMore ? 30 : 0)")
      for message in try answer.objects("messages") {
        let (time, channel) = (try message.string("submittedAt"), try message.string("channel"))
        print("\(time)  \(channel) to \(try message.string("to")): \(try message.string("text"))")
      }
      (cursor, hasMore) = (try answer.int("cursor"), try answer.bool("hasMore"))
    } while follow || hasMore
  }
}

/// `ringfence clock …`
struct ClockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Show or change the time in the sandbox.",
    subcommands: [Show.self, Advance.self, SetTime.self, Freeze.self, Release.self],
    defaultSubcommand: Show.self)

  struct Server: ParsableArguments {
    @Option(help: "The server's address.")
    var url = ControlClient.defaultURL
    @OptionGroup var token: AdminTokenOption

    func get() throws { try show(ControlClient(url, token: token).get("/control/clock")) }

    func post(_ change: JSON.Member) throws {
      try show(ControlClient(url, token: token).post("/control/clock", .object([change])))
    }

    private func show(_ answer: Fields) throws {
      print("\(try answer.string("now")) (\(try answer.string("mode")))")
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show the time.")
    @OptionGroup var server: Server

    func run() throws { try server.get() }
  }

  struct Advance: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Move the clock forward. Scheduled work, such as expiries and webhooks, runs on the way.")
    @Argument(help: "A duration, such as 10m, 601s or 1h30m.") var span: String
    @OptionGroup var server: Server

    func run() throws { try server.post(.init(name: "advance", value: .string(span))) }
  }

  struct SetTime: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Set the time.")
    @Argument(help: "A time in ISO 8601, such as 2026-01-05T10:20:30Z.") var time: String
    @OptionGroup var server: Server

    func run() throws { try server.post(.init(name: "set", value: .string(time))) }
  }

  struct Freeze: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Stop the clock.")
    @OptionGroup var server: Server

    func run() throws { try server.post(.init(name: "mode", value: .string("frozen"))) }
  }

  struct Release: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Follow the real time again.")
    @OptionGroup var server: Server

    func run() throws { try server.post(.init(name: "mode", value: .string("real"))) }
  }
}
