import Glibc
import Logging
import Loop
import ProviderKit

/// `serve --supervise`: runs the server in a child process, and starts it again after a crash.
///
/// The supervisor owns the listening sockets, so the ports stay open and new connections wait for the next
/// server. On SIGUSR2 the server ends after its requests in progress, and the program that is installed now
/// takes its place. A class because the event loop calls back into it.
final class ServerSupervisor {
  private let loop = EventLoop()
  private let status: ServerStatus
  private let sockets: [ListeningSocket]
  private var words: [[UInt8]]
  /// By its path: after a hand-over, that is the program that was installed in its place.
  private let installedProgram: [UInt8]
  /// The program that answered before the hand-over, open because another one may have its path now.
  private var earlierProgram: FileDescriptor?
  /// True if the server does something on SIGHUP.
  private let reloads: Bool
  /// Nil if the server's state is in memory.
  private let dataFolder: String?
  private let log: Logger
  private var server: ChildProcess?
  private var signals: [Signal] = []
  private var restartTimer: Timer?
  private var ending: ChildProcess.Termination?
  private var isStopping = false
  /// True until the next server was started.
  private var isHandingOver = false
  /// True until the first server after a hand-over is ready, or has ended.
  private var isOnTrial = false
  private var policy = RestartPolicy()

  /// Opens the sockets, but does not start the server.
  init(_ wanted: Wiring.Listening, dataFolder: String?, reloads: Bool, log: Logger) throws {
    self.dataFolder = dataFolder
    self.reloads = reloads
    self.log = log
    status = try ServerStatus()
    let loop = loop
    sockets = try [("http", wanted.http), ("https", wanted.https), ("gateway", wanted.gateway)].compactMap {
      option, address in
      try address.map { address in
        try ListenerFailure.naming(option, address) { address throws(LoopError) in
          try ListeningSocket(loop, on: address)
        }
      }
    }
    installedProgram = Array(try Files.absolute("/proc/self/exe").utf8)
    words = [installedProgram] + ProgramArguments.bytes.dropFirst()
  }

  /// Runs until the server ends by itself or by a signal. Returns how it ended.
  func run() throws -> ChildProcess.Termination {
    setenv(SupervisedServer.variable, String(getpid()), 1)
    // Swift's backtrace would delay the restart. And its handler returns from a signal that another process
    // has sent.
    setenv("SWIFT_BACKTRACE", "enable=no", 0)
    for kind in [Signal.Kind.interrupt, .terminate] {
      signals.append(try Signal(loop, kind) { [unowned self] in stop(kind) })
    }
    signals.append(try Signal(loop, .user2) { [unowned self] in handOver() })
    if reloads { signals.append(try Signal(loop, .hangUp) { [unowned self] in server?.send(.hangUp) }) }
    restartTimer = try Timer(loop) { [unowned self] in restart() }
    try start()
    loop.run()
    return ending ?? .exited(status: EXIT_FAILURE)
  }

  private func start() throws {
    let descriptors = SupervisedServer.descriptors(status: status, sockets: sockets.map(\.descriptor))
    server = try ChildProcess(loop, words, passing: descriptors) { [unowned self] in serverEnded($0) }
  }

  private func restart() {
    do {
      try start()
    } catch {
      log.critical("the server cannot be started again: \(error)")
      finish(.exited(status: EXIT_FAILURE))
    }
  }

  private func stop(_ kind: Signal.Kind) {
    isStopping = true
    // Nobody would answer connections that are made from now on.
    for socket in sockets { socket.close() }
    guard let server else { return finish(.exited(status: EXIT_SUCCESS)) }
    if !(kind == .interrupt && server.getsTerminalSignals) { server.send(kind) }
  }

  private func handOver() {
    guard let server, !isStopping, !isHandingOver else { return }
    isHandingOver = true
    log.notice("the server ends after its requests in progress, and the installed program takes its place")
    earlierProgram = FileDescriptor(reading: "/proc/\(server.processID)/exe") ?? earlierProgram
    words[0] = installedProgram
    server.send(.terminate)
  }

  /// Starts the next server after one that has ended by itself. Returns false if there is none.
  private func startSuccessor(after termination: ChildProcess.Termination) -> Bool {
    guard case .exited(let exitStatus) = termination, !isStopping else { return false }
    if isHandingOver {
      (isHandingOver, isOnTrial) = (false, true)
    } else if isOnTrial, exitStatus != EXIT_SUCCESS, status.phase == .starting, let earlierProgram {
      isOnTrial = false
      log.critical(
        "the installed program ended with \(exitStatus) before it was ready; the earlier one is started")
      words[0] = Array(earlierProgram.path.utf8)
    } else {
      return false
    }
    status.recordHandOver()
    restart()
    return true
  }

  private func serverEnded(_ termination: ChildProcess.Termination) {
    server = nil
    if startSuccessor(after: termination) { return }
    isHandingOver = false
    guard case .killed(let signal) = termination, !isStopping else { return finish(termination) }
    let (name, activity) = (String(cString: strsignal(signal)), status.description)
    let decision = policy.decide(after: status)
    status.recordCrash()
    switch decision {
    case .restart(let delay):
      log.critical(
        "the server crashed (signal \(signal), \(name)) \(activity); it is started again. \(consequence)")
      restartTimer?.arm(after: delay)
    case .giveUp:
      log.critical(
        """
        the server crashed (signal \(signal), \(name)) \(activity), for the \(RestartPolicy.maxStarts)th time \
        without becoming ready. \(advice)
        """)
      finish(.exited(status: EXIT_FAILURE))
    }
  }

  private var consequence: String {
    guard let dataFolder else {
      return "All sandboxes and their contents are lost: they were in memory. Use --data to keep them."
    }
    return "Everything acknowledged is in \(dataFolder)."
  }

  private var advice: String {
    guard let dataFolder else { return "Please report it." }
    return "Check the data with: ringfence doctor --data \(dataFolder.shellQuoted)"
  }

  private func finish(_ ending: ChildProcess.Termination) {
    self.ending = ending
    for signal in signals { signal.close() }
    for socket in sockets { socket.close() }
    restartTimer?.close()
    loop.post { [weak loop] in loop?.stop() }
  }
}

/// An open file, which other processes can open and run by a path, also after its own name was given to
/// another one. A class, because it is closed at its end.
private final class FileDescriptor {
  private let number: Int32

  init?(reading path: String) {
    number = open(path, O_RDONLY | O_CLOEXEC)
    if number < 0 { return nil }
  }

  deinit { close(number) }

  var path: String { "/proc/\(getpid())/fd/\(number)" }
}

/// Decides when a crashed server is started again.
struct RestartPolicy {
  enum Decision: Equatable {
    case restart(after: Duration)
    case giveUp
  }

  /// How many times in a row a server may crash before it is ready.
  static let maxStarts = 5
  /// The first restarts without a request in between are immediate.
  private static let immediateRestarts = 3

  /// Crashes in a row before the server was ready.
  private var crashesAtStart = 0
  /// Crashes in a row before the server got a request.
  private var crashesWithoutRequest = 0

  mutating func decide(after status: ServerStatus) -> Decision {
    decide(wasReady: status.phase != .starting, hadRequest: !status.request.isEmpty)
  }

  /// Delays grow from 100 ms to 6.4 s while the server crashes without a request. A request ends the series,
  /// because clients should not wait for the request of another one.
  mutating func decide(wasReady: Bool, hadRequest: Bool) -> Decision {
    crashesAtStart = wasReady ? 0 : crashesAtStart + 1
    crashesWithoutRequest = hadRequest ? 0 : crashesWithoutRequest + 1
    if crashesAtStart >= Self.maxStarts { return .giveUp }
    guard crashesWithoutRequest > Self.immediateRestarts else { return .restart(after: .zero) }
    return .restart(after: .milliseconds(100 << min(crashesWithoutRequest - Self.immediateRestarts - 1, 6)))
  }
}
