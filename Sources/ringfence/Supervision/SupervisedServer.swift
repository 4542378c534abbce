import Glibc
import Isolation

/// The server's side of `serve --supervise`: what it got from the supervisor that started it.
struct SupervisedServer {
  let status: ServerStatus
  /// Sockets that are already bound; nil for a listener that is off.
  let http: Int32
  let https: Int32?
  let gateway: Int32?

  /// Holds the process id of the supervisor.
  static let variable = "RINGFENCE_SUPERVISOR"
  /// The file descriptor of the status. The sockets follow in the order of the properties.
  private static let firstDescriptor: Int32 = 3

  /// Nil if no supervisor has started this process.
  init?(listening wanted: Wiring.Listening) throws {
    guard let supervisor = Environment[Self.variable], supervisor == String(getppid()) else { return nil }
    unsetenv(Self.variable)
    ParentProcess.endWithParent()
    // The supervisor may have ended before that call.
    guard supervisor == String(getppid()) else { exit(EXIT_FAILURE) }
    var next = Self.firstDescriptor
    func take() -> Int32 {
      defer { next += 1 }
      _ = fcntl(next, F_SETFD, FD_CLOEXEC)
      return next
    }
    status = try ServerStatus(take())
    http = take()
    https = wanted.https == nil ? nil : take()
    gateway = wanted.gateway == nil ? nil : take()
  }

  /// The descriptors for a server, in the order in which it takes them.
  static func descriptors(status: ServerStatus, sockets: [Int32]) -> [Int32] { [status.descriptor] + sockets }
}
