import ArgumentParser
import Isolation

/// `ringfence map-identities PROCESS`: what `run --isolated` starts outside its namespaces when root asks for them.
struct MapIdentitiesCommand: ParsableCommand {
  /// What it is called.
  static let name = "map-identities"

  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Give a process in a new namespace every user and group.",
    shouldDisplay: false)

  @Argument(help: "The process, which says on standard input when its namespaces are there.")
  var process: Int

  func run() throws {
    guard readLine() != nil else { throw ExitCode.failure }
    do {
      try Namespaces.mapIdentities(of: process)
    } catch {
      // Whoever started us says it.
      throw ExitCode(error.number)
    }
  }
}
