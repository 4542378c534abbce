import ArgumentParser
import Domain
import Glibc
import Loop

@main
struct RingfenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ringfence",
    abstract: "A sandbox for phone verification: emulates the providers and the mobile network.",
    discussion: "Begin with: ringfence serve, and in another terminal: ringfence send +12025550100",
    version: "ringfence \(version) (snapshots of version \(DatabaseSchema.version))",
    groupedSubcommands: [
      CommandGroup(
        name: "Start",
        subcommands: [ServeCommand.self, RunCommand.self, EnvCommand.self, MCPCommand.self]),
      CommandGroup(
        name: "Look",
        subcommands: [
          StatusCommand.self, InboxCommand.self, CodeCommand.self, VerificationsCommand.self,
          JournalCommand.self, ErrorsCommand.self, DocsCommand.self,
        ]),
      CommandGroup(
        name: "Act",
        subcommands: [
          SendCommand.self, FailuresCommand.self, FaultsCommand.self, ScenariosCommand.self,
          HandsetCommand.self, ClockCommand.self, OpenCommand.self,
        ]),
      CommandGroup(
        name: "Keep",
        subcommands: [
          SandboxCommand.self, SeedCommand.self, SnapshotCommand.self, RestoreCommand.self,
          MapIdentitiesCommand.self,
        ]),
      CommandGroup(
        name: "Check", subcommands: [DoctorCommand.self, CompareCommand.self, CACommand.self]),
    ])

  /// Nothing has been released yet.
  static let version = "0.1.0-dev"

  static func main() {
    let words = ProgramArguments.texts.dropFirst()
    if words.first == ServeCommand.configuration.commandName,
      let flags = ServeArguments.flags(words.dropFirst())
    {
      run(ServeCommand.self) { try ServeCommand.serve(flags) }
      return
    }
    if let mistake = UnknownCommand(words, of: RingfenceCommand.self)?.description
      ?? NegativeSpan(words)?.description
    {
      Output.errorLine(mistake)
      Glibc.exit(ExitCode.validationFailure.rawValue)
    }
    do {
      var command = try parseAsRoot(NegativeSpan.joined(words))
      run(type(of: command)) { try command.run() }
    } catch {
      end(with: error)
    }
  }

  /// Does the work of a command, and ends the process if that fails.
  private static func run(_ command: any ParsableCommand.Type, _ work: () throws -> Void) {
    do {
      try KnownVariables.validate(Environment.all.keys)
      try work()
    } catch let error as ValidationError {
      exit(with: error, of: command)
    } catch {
      end(with: error)
    }
  }

  /// Ends the process with the library's message and status. The library would print outside texts as they
  /// are.
  private static func end(with error: any Error) -> Never {
    let (message, status) = (fullMessage(for: error), exitCode(for: error))
    let shown = message.contains("USAGE: ") ? HelpText.complete(message) : HelpText.refusal(message)
    if !shown.isEmpty { status.isSuccess ? Output.line(shown) : Output.errorLine(shown) }
    Glibc.exit(status.rawValue)
  }

  /// Ends the process like an error in parsing: with the usage of the subcommand. The library prints that of
  /// the root.
  private static func exit(with error: ValidationError, of command: any ParsableCommand.Type) -> Never {
    let usage = usageString(for: command)
    let name = usage.split(separator: " ").prefix { $0.first.map { !"<[-(".contains($0) } ?? false }
    Output.errorLine(
      """
      Error: \(error.message)
      Usage: \(HelpText.withPlaceholders(usage))
        See '\(name.joined(separator: " ")) --help' for more information.
      """)
    Glibc.exit(ExitCode.validationFailure.rawValue)
  }
}
