import ArgumentParser
import Glibc

@main
struct RingfenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ringfence",
    abstract: "A sandbox for phone verification: emulates the providers and the mobile network.",
    subcommands: [
      ServeCommand.self, RunCommand.self, EnvCommand.self, CodeCommand.self, InboxCommand.self,
      HandsetCommand.self,
      ClockCommand.self, OpenCommand.self, SeedCommand.self, SnapshotCommand.self, SandboxCommand.self,
      DoctorCommand.self,
      CACommand.self, MapIdentitiesCommand.self,
    ])

  static func main() {
    if let unknown = UnknownCommand(CommandLine.arguments.dropFirst(), of: RingfenceCommand.self) {
      Output.errorLine(unknown.description)
      Glibc.exit(ExitCode.validationFailure.rawValue)
    }
    do {
      var command = try parseAsRoot()
      do {
        try command.run()
      } catch let error as ValidationError {
        exit(with: error, of: type(of: command))
      }
    } catch {
      exit(withError: error)
    }
  }

  /// Ends the process like an error in parsing: with the usage of the subcommand. The library prints that of the root.
  private static func exit(with error: ValidationError, of command: any ParsableCommand.Type) -> Never {
    let usage = usageString(for: command)
    let name = usage.split(separator: " ").prefix { $0.first.map { !"<[-(".contains($0) } ?? false }
    Output.errorLine(
      """
      Error: \(error.message)
      Usage: \(usage)
        See '\(name.joined(separator: " ")) --help' for more information.
      """)
    Glibc.exit(ExitCode.validationFailure.rawValue)
  }
}
