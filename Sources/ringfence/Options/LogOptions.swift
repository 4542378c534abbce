import ArgumentParser
import Logging

/// The options of `serve` about what it writes down.
struct LogOptions: ParsableArguments {
  @Option(help: "Write a line for each request to this file, or to standard output (-). Default: none.")
  var accessLog: String?
  @Option(help: "combined: lines as those of Apache and nginx, the default. json: one object per line.")
  var accessLogFormat: String?
  @Option(help: "text, the default, or json: how the server's own messages are written to standard error.")
  var logFormat: String?
  @Option(help: "The least important messages that are written: debug, info, warning or error. Default info.")
  var logLevel: String?

  /// The command line's values by option name.
  var flags: [String: String?] {
    [
      "access-log": accessLog, "access-log-format": accessLogFormat, "log-format": logFormat,
      "log-level": logLevel,
    ]
  }
}

/// Where the access log goes, and its format.
struct AccessLogSettings {
  let path: String
  let format: AccessLog.Format

  var isFile: Bool { path != "-" }
}

extension Configuration {
  /// Nil without `--access-log`.
  var accessLog: AccessLogSettings? {
    get throws(ValidationError) {
      try require("access-log", for: ["access-log-format"])
      let name = try choice("access-log-format", AccessLog.Format.allCases.map(\.rawValue))
      return text("access-log").map {
        AccessLogSettings(path: $0, format: AccessLog.Format(rawValue: name) ?? .combined)
      }
    }
  }

  /// True if the server reads or opens something again on SIGHUP.
  var reloads: Bool {
    get throws { try certificate != nil || accessLog?.isFile ?? false }
  }

  /// Writes to standard error.
  var logger: Logger {
    get throws(ValidationError) {
      let isJSON = try choice("log-format", ["text", "json"]) == "json"
      var logger = isJSON ? Logger(label: "ringfence") { _ in JSONLogHandler() } : .standard
      logger.logLevel = Logger.Level(rawValue: try choice("log-level", Self.levels)) ?? .info
      return logger
    }
  }

  private static let levels = ["info", "debug", "warning", "error"]
}
