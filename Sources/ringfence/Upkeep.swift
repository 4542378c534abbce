import Control
import Crypto
import Logging
import Loop
import Server

/// What a hosted server does beside requests: backups, the access log, and reading files again on SIGHUP.
///
/// A class because timers and signals call it back.
final class Upkeep {
  private unowned let wiring: Wiring
  private var backups: Backups?
  private var accessLog: LineWriter?

  /// Starts what the settings ask for.
  init(of wiring: Wiring, _ server: Server) throws {
    self.wiring = wiring
    let metrics = wiring.dispatcher.metrics
    if let wanted = wiring.settings.backups {
      backups = try Backups(wanted, of: wiring.settings.authorityFolder, on: server.loop, log: wiring.log) {
        if let time = $0 { metrics.backedUpAt = time } else { metrics.failedBackups += 1 }
      }
    }
    if let wanted = wiring.settings.accessLog { try startAccessLog(wanted, server) }
    if wiring.settings.reloads { try server.onHangUp { [unowned self] in reload() } }
  }

  /// Lets the loop end.
  func endTimers() { backups?.endTimer() }

  /// Ends the threads. What the access log still has is written.
  func close() {
    backups?.close()
    accessLog?.close()
  }

  private func startAccessLog(_ wanted: AccessLogSettings, _ server: Server) throws {
    let (dispatcher, loop) = (wiring.dispatcher, server.loop)
    let writer = try LineWriter(wanted.path, on: loop, log: wiring.log) { [metrics = dispatcher.metrics] in
      metrics.droppedLines += $0
    }
    let log = AccessLog(wanted.format, to: writer)
    dispatcher.recordsHandling = true
    server.onAnswer = { [unowned dispatcher] answer in
      log.add(
        AccessLog.Entry(
          time: Timestamp(milliseconds: EventLoop.wallClockMilliseconds()),
          request: answer.request.map(dispatcher.publicAddress.resolved), peer: answer.peer,
          version: answer.version, status: answer.status, bytes: answer.bytes,
          duration: .milliseconds(max(0, EventLoop.monotonicMilliseconds() - Int64(answer.startedAt)))))
    }
    loop.onTickEnd { writer.flush() }
    accessLog = writer
  }

  /// Opens the access log again, and reads the certificate again.
  private func reload() {
    accessLog?.reopen()
    guard wiring.settings.certificate != nil else { return }
    do {
      wiring.settings.certificate = try wiring.settings.readCertificate()
      wiring.tls?.replace(own: wiring.settings.certificate)
      wiring.log.notice("new connections get the certificate that --tls-certificate has now")
    } catch {
      wiring.log.error("the old certificate stays in use: \(error)")
    }
  }
}
