import Glibc

/// The program that listens on a port of this machine, as Linux tells it in `/proc`.
struct PortHolder: CustomStringConvertible {
  /// Its number among the processes.
  let process: String
  /// What it calls itself.
  let name: String

  /// `python3 (process 4711)`.
  var description: String { "\(name) (process \(process))" }

  /// Whoever listens on a port; nil where nobody does, or where it is somebody else's program and we are not told.
  static func find(_ port: UInt16) -> PortHolder? {
    let sockets = Set(["tcp", "tcp6"].flatMap { listening(on: port, in: "/proc/net/\($0)") })
    guard !sockets.isEmpty else { return nil }
    for process in (try? Files.names(in: "/proc")) ?? [] where process.allSatisfy(\.isNumber) {
      let folder = "/proc/\(process)/fd"
      let files = (try? Files.names(in: folder)) ?? []
      if files.contains(where: { sockets.contains(target(of: "\(folder)/\($0)")) }) {
        return PortHolder(process: process, name: text("/proc/\(process)/comm").filter { $0 != "\n" })
      }
    }
    return nil
  }

  /// What open files of the sockets lead to: `socket:[4711]`. The fields of a row: number, own address and port in
  /// hexadecimal digits, the other's, state (0A is listening) and, tenth, the number of its node.
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
