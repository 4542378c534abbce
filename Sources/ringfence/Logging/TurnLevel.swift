import Logging

extension Logger.Level {
  /// The level of the message about a slow turn of the event loop. People notice a quarter of a second;
  /// shorter turns are for those who work on the server.
  init(ofTurn duration: Duration) { self = duration < .milliseconds(250) ? .debug : .warning }
}
