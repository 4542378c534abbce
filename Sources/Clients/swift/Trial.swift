import Foundation

/// A test in a sandbox: names it in reports, and says what happened when it fails.
struct Trial {
  let sandbox: Sandbox
  let name: String

  /// The text is printed.
  typealias Print = (String) -> Void

  static func print(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
  }

  func begin() async throws { try await sandbox.mark(name) }

  /// Must not hide the error of the test: a server that is gone can say nothing more.
  func end(_ outcome: Sandbox.Outcome, isExplained: Bool = false, print: Print) async {
    do {
      try await sandbox.mark(name, outcome)
      if outcome == .failed, !isExplained {
        print("What happened in the sandbox of \(name):\n\(try await sandbox.summary())")
      }
      if let folder = ProcessInfo.processInfo.environment["RINGFENCE_REPORT"], !folder.isEmpty {
        try await sandbox.report("\(folder)/\(fileName)")
      }
      if outcome == .failed, !sandbox.isTransient {
        try await sandbox.keep()
      } else {
        try await sandbox.delete()
      }
    } catch {
      print("ringfence: \(error)")
    }
  }

  private var fileName: String {
    "\(name.replacing(#/[^A-Za-z0-9_.\-]+/#, with: "-").prefix(100))-\(sandbox.name).html"
  }
}
