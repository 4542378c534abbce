import ArgumentParser
import Catalog
import Compare
import ProviderKit

/// `ringfence compare FILE`: how exactly the sandbox answers like a recorded provider.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare recorded traffic of a real provider with the sandbox's answers.",
    discussion: """
      Sends the recorded requests to a fresh sandbox, with ids, codes and times mapped, and reports what differs in \
      status, headers and bodies. Needs no server, and nothing leaves the machine. Secrets, codes, email \
      addresses and phone numbers are hidden in what it writes. See ringfence docs compare.

      Exit status: 0 without differences, 1 with differences, 2 if the recording cannot be read or has no request to a \
      provider, 3 without differences where answers had no body to compare.
      """)

  @Argument(help: "A HAR file, or a VCR cassette in YAML or JSON.") var file: String
  @Option(help: "Write the comparison to this HTML file, too.") var html: String?
  @Flag(help: "Print JSON.") var json = false

  private static let badInput = ExitCode(2)

  func run() throws {
    if let html, Files.isSame(html, file) {
      throw fail("--html: \(html) is the recording, which would be overwritten; name another file")
    }
    let report: CompareReport
    do {
      report = try compare()
      if let html { try Files.write(report.document(of: name), to: html) }
    } catch let error as FieldError {
      throw fail("\(file): \(error)")
    } catch {
      throw fail("\(error)")
    }
    if json {
      Output.json(report.json)
    } else {
      Output.line(report.text)
    }
    if report.isEmpty { throw Self.badInput }
    if report.hasDifferences { throw ExitCode.failure }
    if !report.isComplete { throw ExitCode(3) }
  }

  private func fail(_ message: String) -> ExitCode {
    Output.errorLine(message)
    return Self.badInput
  }

  private func compare() throws -> CompareReport {
    let bytes = try Files.read(file, limit: Recording.sizeLimit + 1)
    let recording = try Recording(bytes) { ProviderHosts.all.contains($0) }
    var origin = Sandbox.Configuration()
    if let start = recording.start { origin.clock = .frozen(start) }
    let sandboxes = try SeedFiles.freshSandboxes(origin: origin, hooks: catalog.map { $0.hooks })
    var replay = Replay(recording, on: ReplayServer(sandboxes, providers: catalog))
    return try replay.run()
  }

  private var name: String { file.split(separator: "/").last.map(String.init) ?? file }
}
