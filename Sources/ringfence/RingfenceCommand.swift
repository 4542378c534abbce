import ArgumentParser

@main
struct RingfenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ringfence",
    abstract: "A sandbox for phone verification: emulates the providers and the mobile network.",
    subcommands: [
      ServeCommand.self, RunCommand.self, EnvCommand.self, CodeCommand.self, InboxCommand.self,
      ClockCommand.self, OpenCommand.self, SeedCommand.self, DoctorCommand.self, CACommand.self,
      MapIdentitiesCommand.self,
    ])
}
