import Catalog
import Console
import ProviderKit

/// The reports of `ringfence run --report`.
enum RunReports {
  /// The name of the test that runs. Helper libraries set it, and tell the sandbox the same by `POST
  /// /control/tests`.
  static let testVariable = "RINGFENCE_TEST"
  static let journalCapacity = 5000

  /// Writes `NAME.html` for each sandbox that got a request or sent a message. A report that cannot be
  /// written does not change the exit status: the command has ended already.
  static func write(_ sandboxes: [Sandbox], to folder: String) {
    for sandbox in sandboxes {
      let path = "\(folder)/\(sandbox.name).html"
      do {
        guard try isUsed(sandbox) else { continue }
        try Files.makeFolders(folder)
        let report = try Report(of: sandbox, providers: catalog)
        try Files.write(report.pieces().collect(), to: path)
        Output.errorLine("ringfence: report: \(path)")
      } catch {
        Output.errorLine("ringfence: \(path): no report: \(error)")
      }
    }
  }

  private static func isUsed(_ sandbox: Sandbox) throws -> Bool {
    try sandbox.journal.lastOrdinal > 0 || !sandbox.messages.submitted(.init(), limit: 1).isEmpty
  }
}
