import ArgumentParser
import JSON

/// The variables of the environment whose names begin with `RINGFENCE_`.
enum KnownVariables {
  private static let prefix = "RINGFENCE_"

  /// Throws for a variable that nothing reads: it is probably misspelt, and an option that has no effect is
  /// hard to notice.
  static func validate(_ present: some Sequence<String>) throws(ValidationError) {
    let own = present.filter { $0.hasPrefix(prefix) }
    guard !own.isEmpty else { return }
    let known = options + ofRuns + ofClients + ofTools
    let unknown = own.filter { !known.contains($0) }.sorted()
    guard let name = unknown.first else { return }
    let hint =
      known.nearest(to: name).map { "did you mean \($0)?" }
      ?? "see ringfence serve --help; options are RINGFENCE_<NAME>"
    throw ValidationError("\(name): unknown variable; \(hint)")
  }

  /// One for each option of `serve`, which has those of `run` too.
  private static var options: [String] { ServeArguments.names.map(Configuration.variable) }

  /// What `ringfence run` sets for its command, and what test libraries set.
  private static let ofRuns = [
    AppEnvironment.urlVariable, AppEnvironment.httpsVariable, AppEnvironment.gatewayVariable,
    RunReports.testVariable, SupervisedServer.variable,
  ]

  private static let ofClients = ["RINGFENCE_TOKEN"]

  /// Read by programs around this one: its build, its tests, and Docs/Examples.
  private static let ofTools = [
    "RINGFENCE_BINARY", "RINGFENCE_LLHTTP_H", "RINGFENCE_ADDRESS", "RINGFENCE_REPORT",
  ]
}
