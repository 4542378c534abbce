import Glibc
import HTTP
import JSON

/// Checks that the sandbox answers, and that no other program has its ports.
struct ListenerCheck: Check {
  static let name = "ports"
  let target: DoctorTarget

  func results() -> [CheckResult] { [http] + otherPorts }

  private var http: CheckResult {
    let url = target.base
    do {
      let client = try ControlClient(url, token: target.token, timeout: PlainSocket.timeout)
      _ = try client.get("/control/clock").string("mode")
      return .ok("a sandbox answers at \(url)")
    } catch let rejection as ControlClient.Rejection where [401, 403, 429].contains(rejection.status) {
      return .error(
        "the sandbox at \(url) does not accept this command: \(rejection)",
        fix: "ringfence doctor --admin-token TOKEN, or set RINGFENCE_ADMIN_TOKEN")
    } catch {
      guard let owner = owner(of: target.url.port) else {
        let cause =
          error is PlainSocket.Failure || error is ControlClient.Rejection
          ? "\(error)" : "\(url) answers, but is not a sandbox"
        return .error(cause, fix: "start it: ringfence serve")
      }
      return .error(
        "\(url) is not a sandbox: the port belongs to \(owner)",
        fix: "stop that program, or use another port: ringfence serve --http 127.0.0.1:5560")
    }
  }

  /// The TLS and gateway ports, if a program other than the sandbox has them.
  private var otherPorts: [CheckResult] {
    let server = owner(of: target.url.port)
    return wanted.compactMap { option, port in
      guard let owner = owner(of: port), owner.name != server?.name, owner.name != "ringfence" else {
        return nil
      }
      return .warning(
        "port \(port), wanted for --\(option), belongs to \(owner)",
        fix: "stop that program, or use another port: ringfence serve --\(option) 127.0.0.1:\(port + 10)")
    }
  }

  private func owner(of port: UInt16) -> PortOwner? {
    target.isOnThisMachine ? PortOwner.find(port) : nil
  }

  private var wanted: [(option: String, port: UInt16)] {
    guard case .direct(_, let port) = target.tls else { return [] }
    return [("https", port)] + (target.hasDefaultAddress ? [("gateway", 5552)] : [])
  }
}

/// The program that listens on a port of this machine, from Linux's `/proc`.
struct PortOwner: CustomStringConvertible {
  let process: String
  let name: String

  /// `python3 (process 4711)`
  var description: String { "\(name) (process \(process))" }

  /// Nil if nothing listens there, or if we may not look at the process.
  static func find(_ port: UInt16) -> PortOwner? {
    let sockets = Set(["tcp", "tcp6"].flatMap { listening(on: port, in: "/proc/net/\($0)") })
    guard !sockets.isEmpty else { return nil }
    for process in (try? Files.names(in: "/proc")) ?? [] where process.allSatisfy(\.isNumber) {
      let folder = "/proc/\(process)/fd"
      let files = (try? Files.names(in: folder)) ?? []
      if files.contains(where: { sockets.contains(target(of: "\(folder)/\($0)")) }) {
        return PortOwner(process: process, name: text("/proc/\(process)/comm").filter { $0 != "\n" })
      }
    }
    return nil
  }

  /// Link targets such as `socket:[4711]` of the listening sockets. Columns of a row: index, local address
  /// and port in hexadecimal, remote address, state (`0A` is listening), …, and the inode as the tenth.
  private static func listening(on port: UInt16, in table: String) -> [String] {
    text(table).split(separator: "\n").dropFirst().compactMap { row in
      let fields = row.split(separator: " ")
      guard fields.count > 9, fields[3] == "0A",
        let digits = fields[1].split(separator: ":").last, UInt16(digits, radix: 16) == port
      else { return nil }
      return "socket:[\(fields[9])]"
    }
  }

  private static func target(of link: String) -> String {
    var text = [CChar](repeating: 0, count: 128)
    let count = readlink(link, &text, text.count)
    return String(decoding: text.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func text(_ path: String) -> String {
    String(decoding: (try? Files.read(path)) ?? [], as: UTF8.self)
  }
}
