import CLinux
import Glibc

/// Isolates this process and its children: their only network is the loopback, and only some host names
/// resolve.
///
/// The process must have a single thread.
package struct Isolation {
  /// Overrides applied inside the namespace.
  package struct Plan {
    /// The host names that resolve to the loopback.
    package var names: [String]
    /// Replacement files by the path they replace. Paths that do not exist are skipped.
    package var fileOverrides: [String: String] = [:]
    /// A folder for the generated system files.
    package var folder: String
    /// The arguments that start this program to call `Namespaces.mapIdentities`. Only used by root.
    package var mapper: [String]

    package init(names: [String], folder: String, mapper: [String]) {
      self.names = names
      self.folder = folder
      self.mapper = mapper
    }
  }

  /// Isolates this process. If it throws, the process must exit.
  package static func enter(_ plan: Plan) throws(IsolationError) {
    try Namespaces.enter(mapper: plan.mapper)
    var mounts = try Mounts()
    try Loopback.start()
    try NameService.replace(with: plan.names, in: plan.folder, &mounts)
    for (path, file) in plan.fileOverrides.sorted(by: { $0.key < $1.key }) {
      try mounts.replace(path, with: file, ifExists: true)
    }
    try Capabilities.dropForChildren()
  }
}

/// Bind mounts that only this process and its children see.
struct Mounts {
  /// Paths that are already replaced. Mounting over our own file would prevent its removal.
  private var replaced: Set<String> = []

  /// Hides the following mounts from other processes.
  init() throws(IsolationError) {
    guard mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0 else {
      throw IsolationError("separating the command's mounts from the machine's")
    }
  }

  /// Mounts our file or folder over another. Does nothing if the path was already replaced, or if it does not
  /// exist and `ifExists` is true.
  mutating func replace(_ path: String, with source: String, ifExists: Bool = false) throws(IsolationError) {
    if ifExists, !SystemFile(path).exists { return }
    let step = "replacing \(path)"
    guard let real = realpath(path, nil) else { throw IsolationError(step) }
    defer { free(real) }
    guard replaced.insert(String(cString: real)).inserted else { return }
    guard mount(source, real, nil, UInt(MS_BIND), nil) == 0 else { throw IsolationError(step) }
  }
}

/// The loopback interface. In a new namespace it exists but is down.
enum Loopback {
  private static let step = "starting the loopback of the private network"

  static func start() throws(IsolationError) {
    let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw IsolationError(step) }
    defer { close(socket) }
    var request = ifreq()
    withUnsafeMutableBytes(of: &request.ifr_ifrn) { $0.copyBytes(from: "lo".utf8) }
    request.ifr_ifru.ifru_flags = Int16(IFF_UP)
    guard ioctl(socket, UInt(SIOCSIFFLAGS), &request) == 0 else { throw IsolationError(step) }
  }
}

enum Capabilities {
  /// Removes the capabilities of the new namespace from programs that this process starts, unless the user is
  /// root.
  ///
  /// This process keeps them, to listen on ports below 1024.
  static func dropForChildren() throws(IsolationError) {
    guard geteuid() != 0 else { return }
    // The kernel returns EINVAL after the last capability.
    for capability in UInt(0)... where clinux_drop_from_bounding_set(capability) != 0 {
      guard errno == EINVAL else { throw IsolationError("dropping capabilities for the command") }
      return
    }
  }
}

/// A small configuration or kernel file.
struct SystemFile {
  let path: String

  init(_ path: String) { self.path = path }

  var exists: Bool { access(path, F_OK) == 0 }

  /// Nil if it cannot be read.
  var text: String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes everything with one call, as the kernel requires. Creates the file if needed.
  func write(_ text: String, doing step: String) throws(IsolationError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw IsolationError(step) }
    defer { close(file) }
    guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else { throw IsolationError(step) }
  }
}
