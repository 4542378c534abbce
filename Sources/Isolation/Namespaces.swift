import CLinux
import Glibc

/// User, mount and network namespaces.
package enum Namespaces {
  private static let mapping = "mapping users into the new namespace"

  /// Moves this process into new namespaces, with the same user and groups.
  static func enter(mapper: [String]) throws(IsolationError) {
    let (user, group) = (geteuid(), getegid())
    let mapper = user == 0 ? try Mapper(mapper + [String(getpid())]) : nil
    try create()
    if let mapper {
      try mapper.finish(doing: mapping)
    } else {
      // Without privileges, a process may only map its own user, and must give up changing groups.
      try SystemFile("/proc/self/setgroups").write("deny", doing: mapping)
      try SystemFile("/proc/self/uid_map").write("\(user) \(user) 1", doing: mapping)
      try SystemFile("/proc/self/gid_map").write("\(group) \(group) 1", doing: mapping)
    }
  }

  /// Moves this process into new namespaces without mapping its user. Also used to test whether that is
  /// allowed.
  package static func create() throws(IsolationError) {
    guard unshare(CLONE_NEWUSER | CLONE_NEWNS | Int32(CLONE_NEWNET)) == 0 else {
      throw IsolationError("creating user, mount and network namespaces")
    }
  }

  /// Maps all our users and groups into another process's new namespace, so that root can still use its
  /// files. The kernel only accepts this from outside the namespace.
  package static func mapIdentities(of process: Int) throws(IsolationError) {
    for kind in ["uid_map", "gid_map"] {
      let map = identity(of: SystemFile("/proc/self/\(kind)").text ?? "")
      try SystemFile("/proc/\(process)/\(kind)").write(map, doing: mapping)
    }
  }

  /// An identity map for all IDs of a namespace, from its `uid_map` or `gid_map`.
  static func identity(of map: String) -> String {
    map.split(separator: "\n").map { line in
      let parts = line.split(separator: " ")
      return parts.count == 3 ? "\(parts[0]) \(parts[0]) \(parts[2])\n" : ""
    }.joined()
  }
}

extension Namespaces {
  /// A second process of this program, outside the new namespaces. It waits until they exist.
  private struct Mapper {
    private let process: pid_t
    private let socket: Int32

    init(_ arguments: [String]) throws(IsolationError) {
      var ends: [Int32] = [0, 0]
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw IsolationError(mapping) }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
      var list = arguments.map { strdup($0) } + [nil]
      var process: pid_t = 0
      let number = posix_spawn(&process, "/proc/self/exe", &actions, nil, &list, environ)
      for argument in list { free(argument) }
      posix_spawn_file_actions_destroy(&actions)
      close(ends[0])
      guard number == 0 else {
        close(ends[1])
        throw IsolationError(mapping, number: number)
      }
      (self.process, socket) = (process, ends[1])
    }

    /// Reports that the namespaces exist, and waits for the process. Its exit status is 0 or an `errno`.
    func finish(doing step: String) throws(IsolationError) {
      _ = send(socket, "\n", 1, Int32(MSG_NOSIGNAL))
      close(socket)
      var status: Int32 = 0
      guard waitpid(process, &status, 0) == process else { throw IsolationError(step) }
      if status != 0 { throw IsolationError(step, number: status > 0xFF ? status >> 8 : EINTR) }
    }
  }
}
