import ArgumentParser
import JSON

/// `ringfence clock …`: looks at and moves a running sandbox's clock.
struct ClockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Show or move the sandbox's clock.",
    subcommands: [Show.self, Advance.self, SetTime.self, Freeze.self, Release.self],
    defaultSubcommand: Show.self)

  /// Which server.
  struct Target: ParsableArguments {
    @Option(help: "Where the server listens.")
    var url = ControlClient.usualURL

    func post(_ change: JSON.Member) throws {
      try show(ControlClient(url).post("/control/clock", .object([change])))
    }

    func show(_ answer: Fields) throws {
      print("\(try answer.string("now")) (\(try answer.string("mode")))")
    }
  }

  /// `ringfence clock`: shows the time.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show the time.")
    @OptionGroup var target: Target

    func run() throws { try target.show(ControlClient(target.url).get("/control/clock")) }
  }

  /// `ringfence clock advance 10m`.
  struct Advance: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Move the clock on; due work is done.")
    @Argument(help: "How far: 10m, 601s, 1h30m.") var span: String
    @OptionGroup var target: Target

    func run() throws { try target.post(.init(name: "advance", value: .string(span))) }
  }

  /// `ringfence clock set 2026-01-05T10:20:30Z`.
  struct SetTime: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Set the time.")
    @Argument(help: "Such as 2026-01-05T10:20:30Z.") var time: String
    @OptionGroup var target: Target

    func run() throws { try target.post(.init(name: "set", value: .string(time))) }
  }

  /// `ringfence clock freeze`.
  struct Freeze: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make time stand still.")
    @OptionGroup var target: Target

    func run() throws { try target.post(.init(name: "mode", value: .string("frozen"))) }
  }

  /// `ringfence clock release`.
  struct Release: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "PendingReply the real time again.")
    @OptionGroup var target: Target

    func run() throws { try target.post(.init(name: "mode", value: .string("real"))) }
  }
}
