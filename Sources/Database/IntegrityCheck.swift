internal import CSQLite
internal import Glibc

/// Checks a database file on a thread of its own, so that nothing waits for it.
///
/// A class because it owns the thread.
package final class IntegrityCheck {
  private let connection: Database
  private let handle: OpaquePointer
  private let thread: pthread_t
  private var isStopped = false

  /// Starts a quick check. `report` is called on the thread, only if problems were found.
  package init(path: String, report: @escaping @Sendable ([String]) -> Void) throws(DatabaseError) {
    connection = try Database(.file(path: path), keepsLog: true)
    handle = connection.handle
    let work = Unmanaged.passRetained(Work(connection, report))
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { IntegrityCheck.run($0) }, work.toOpaque()) == 0 else {
      work.release()
      throw DatabaseError(extendedCode: SQLITE_CANTOPEN, message: "cannot create a thread", sql: "")
    }
    self.thread = thread
  }

  deinit { stop() }

  /// Interrupts the check if it still runs, and closes its connection.
  package func stop() {
    guard !isStopped else { return }
    isStopped = true
    sqlite3_interrupt(handle)
    pthread_join(thread, nil)
    connection.moveToCurrentThread()
    connection.close()
  }

  private final class Work {
    let connection: Database
    let report: @Sendable ([String]) -> Void

    init(_ connection: Database, _ report: @escaping @Sendable ([String]) -> Void) {
      self.connection = connection
      self.report = report
    }
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
    work.connection.moveToCurrentThread()
    let problems = work.connection.problems(.quick)
    if !problems.isEmpty { work.report(problems) }
    return nil
  }
}

extension Database {
  /// How thorough a check is.
  package enum CheckDepth {
    /// All pages and their structure.
    case quick
    /// Also whether indexes agree with their tables.
    case full
  }

  /// What is damaged, at most ten lines; empty for a valid database and for an interrupted check.
  package func problems(_ depth: CheckDepth) -> [String] {
    do throws(DatabaseError) {
      let lines =
        switch depth {
        case .quick: try all("PRAGMA quick_check(10)") { $0.text(0) }
        case .full: try all("PRAGMA integrity_check(10)") { $0.text(0) }
        }
      return lines == ["ok"] ? [] : lines
    } catch {
      return error.code == SQLITE_INTERRUPT ? [] : [error.message]
    }
  }
}
