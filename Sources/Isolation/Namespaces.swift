import CLinux
import Glibc

/// Namespaces of users, mounts and networks.
package enum Namespaces {
  private static let mapping = "giving the command its user in a namespace of its own"

  /// Moves this process into new ones, in which it is the same user with the same groups.
  static func enter(mapper: [String]) throws(IsolationError) {
    let (user, group) = (geteuid(), getegid())
    let outside = user == 0 ? try Mapper(mapper + [String(getpid())]) : nil
    try make()
    if let outside {
      try outside.finish(doing: mapping)
    } else {
      // Whoever has no privileges may map nobody but themselves, and has to give up changing groups for it.
      try SystemFile("/proc/self/setgroups").write("deny", doing: mapping)
      try SystemFile("/proc/self/uid_map").write("\(user) \(user) 1", doing: mapping)
      try SystemFile("/proc/self/gid_map").write("\(group) \(group) 1", doing: mapping)
    }
  }

  /// Moves this process into new ones in which it is nobody, and can do little more than end: a look whether they can
  /// be had.
  package static func make() throws(IsolationError) {
    guard unshare(CLONE_NEWUSER | CLONE_NEWNS | Int32(CLONE_NEWNET)) == 0 else {
      throw IsolationError("making namespaces of users, mounts and networks")
    }
  }

  /// Lets another process, in a namespace that it has just made, have every user and group that we have, so that a
  /// privileged user's files are still at hand. The kernel takes this from outside the namespace only.
  package static func mapIdentities(of process: Int) throws(IsolationError) {
    for kind in ["uid_map", "gid_map"] {
      let map = identity(of: SystemFile("/proc/self/\(kind)").text ?? "")
      try SystemFile("/proc/\(process)/\(kind)").write(map, doing: mapping)
    }
  }

  /// The map that leaves everybody who they are, from the map of a namespace to the one around it.
  static func identity(of map: String) -> String {
    map.split(separator: "\n").map { line in
      let parts = line.split(separator: " ")
      return parts.count == 3 ? "\(parts[0]) \(parts[0]) \(parts[2])\n" : ""
    }.joined()
  }
}

extension Namespaces {
  /// This program once more, outside the namespaces, where it waits for its turn.
  private struct Mapper {
    private let process: pid_t
    private let line: Int32

    init(_ words: [String]) throws(IsolationError) {
      var ends: [Int32] = [0, 0]
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw IsolationError(mapping) }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
      var list = words.map { strdup($0) } + [nil]
      var process: pid_t = 0
      let number = posix_spawn(&process, "/proc/self/exe", &actions, nil, &list, environ)
      for word in list { free(word) }
      posix_spawn_file_actions_destroy(&actions)
      close(ends[0])
      guard number == 0 else {
        close(ends[1])
        throw IsolationError(mapping, number: number)
      }
      (self.process, line) = (process, ends[1])
    }

    /// Tells it that the namespaces are there, and waits until it has done its part; its status is the system's
    /// number for what was in its way.
    func finish(doing step: String) throws(IsolationError) {
      _ = send(line, "\n", 1, Int32(MSG_NOSIGNAL))
      close(line)
      var status: Int32 = 0
      guard waitpid(process, &status, 0) == process else { throw IsolationError(step) }
      if status != 0 { throw IsolationError(step, number: status > 0xFF ? status >> 8 : EINTR) }
    }
  }
}
