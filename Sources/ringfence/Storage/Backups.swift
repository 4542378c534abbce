import Basics
import Database
import Logging
import Loop

/// `serve --backup`: copies the data folder again and again, on a thread of its own.
///
/// ```
/// timer ──> thread: copy to DIR/.unfinished ──> rename to DIR/2026-01-05T10-20-30.123Z ──> remove the oldest
/// ```
/// A class because the timer calls it back.
final class Backups {
  struct Settings {
    let folder: BackupFolder
    var interval = Duration.seconds(15 * 60)
    /// How many copies are kept.
    var count = 96
  }

  /// What one round has come to.
  private enum Outcome: Sendable {
    case made
    case unchanged
    case failed(why: String)
  }

  private let settings: Settings
  private let copy: DatabaseCopy
  private let maker: ThreadConfined<Maker>
  private let log: Logger
  private let report: (_ upToDateAt: Timestamp?) -> Void
  private var timer: Timer?
  private var isRunning = false

  /// Makes the first copy when the newest is old enough. `report` gets the time of the data that is safe
  /// after each round, or nil if the round failed.
  init(
    _ settings: Settings, of data: String, on loop: EventLoop, log: Logger,
    report: @escaping (_ upToDateAt: Timestamp?) -> Void
  ) throws {
    self.settings = settings
    self.log = log
    self.report = report
    try settings.folder.open()
    guard try Files.absolute(settings.folder.path) != Files.absolute(data) else {
      throw Files.Failure(path: settings.folder.path, reason: "--backup and --data must be different folders")
    }
    let newest = try settings.folder.backups.last?.time
    copy = try DatabaseCopy(path: DataFolder.database(in: data))
    maker = try ThreadConfined(Maker(settings: settings, data: data, copy: copy, newest: newest))
    let age = newest.map { max(Self.now - $0, .zero) } ?? settings.interval
    timer = try Timer(loop) { [unowned self] in start(on: loop) }
    timer?.arm(after: max(settings.interval - age, .zero), every: settings.interval)
  }

  func endTimer() {
    timer?.close()
    timer = nil
  }

  /// Ends a copy in progress.
  func close() {
    copy.interrupt()
    maker.post { $0.copy.close() }
    maker.stop(within: .seconds(10))
  }

  fileprivate static var now: Timestamp { Timestamp(milliseconds: EventLoop.wallClockMilliseconds()) }

  /// Starts a round, unless the last one still runs.
  private func start(on loop: EventLoop) {
    guard !isRunning else { return }
    isRunning = true
    let started = Self.now
    let end = loop.callback { [weak self] (outcome: Outcome) in self?.end(outcome, startedAt: started) }
    maker.post { end($0.make()) }
  }

  private func end(_ outcome: Outcome, startedAt time: Timestamp) {
    isRunning = false
    switch outcome {
    case .made:
      log.debug("a backup was made in \(settings.folder.path) in \((Self.now - time).milliseconds) ms")
    case .unchanged: log.debug("nothing has changed since the last backup")
    case .failed(let why):
      log.error("no backup was made: \(why); the next try is in \(settings.interval.text)")
      return report(nil)
    }
    report(time)
  }

  /// The thread's part.
  private struct Maker {
    let settings: Settings
    let data: String
    let copy: DatabaseCopy
    var newest: Timestamp?

    mutating func make() -> Outcome {
      // A clock that was set back does not make it the oldest one.
      let time = max(Backups.now, newest.map { $0 + .milliseconds(1) } ?? .earliest)
      do {
        let contents = DataFolder.Contents(of: data)
        guard try settings.folder.add(time, of: contents, copyDatabase: { try copy.write(to: $0) }) else {
          return .unchanged
        }
        newest = time
        try settings.folder.keepNewest(settings.count)
        return .made
      } catch {
        return .failed(why: "\(error)")
      }
    }
  }
}
