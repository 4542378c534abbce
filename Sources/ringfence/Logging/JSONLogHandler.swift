import Basics
import JSON
import Logging
import Loop

/// Writes messages to standard error, one JSON object per line.
struct JSONLogHandler: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let now = Timestamp(milliseconds: EventLoop.wallClockMilliseconds())
    Output.errorJSON(Self.line(event.level, "\(event.message)", at: now))
  }

  static func line(_ level: Logger.Level, _ message: String, at time: Timestamp) -> [UInt8] {
    JSONWriter.object { json in
      json.member("time", time.iso8601Milliseconds)
      json.member("level", level.rawValue)
      json.member("message", message)
    }
  }
}
