import ArgumentParser
import Logging
import Testing

@testable import ringfence

@Suite("Command · log levels")
struct LogLevelTests {
  @Test("46 F7: a turn of the event loop below 250 ms is no warning")
  func turns() {
    #expect(Logger.Level(ofTurn: .milliseconds(249)) == .debug)
    #expect(Logger.Level(ofTurn: .milliseconds(250)) == .warning)
  }

  @Test("46 F7: run --quiet prints no warning", arguments: [(["--quiet"], Logger.Level.error), ([], .info)])
  func quiet(flags: [String], level: Logger.Level) throws {
    #expect(try RunCommand.parse(flags + ["--", "true"]).log.logLevel == level)
  }
}
