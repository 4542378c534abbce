import ArgumentParser

/// The program: a sandbox server for phone verification, and what helps to use it.
struct RingfenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ringfence",
    abstract: "A sandbox for phone verification: the providers and the mobile network behind them.",
    subcommands: [
      ServeCommand.self, RunCommand.self, EnvCommand.self, CodeCommand.self, InboxCommand.self,
      ClockCommand.self, OpenCommand.self, SeedCommand.self, DoctorCommand.self, CACommand.self,
      MapIdentitiesCommand.self,
    ])
}
