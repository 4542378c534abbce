import Glibc

/// The files, connections and the like that this process may have open at once.
package enum OpenFiles {
  /// The highest descriptor is one less.
  package static var limit: Int { read().map { Int(clamping: $0.rlim_cur) } ?? .max }

  /// Raises the limit as far as the process may. Usual systems begin with 1,024.
  package static func raiseLimit() {
    guard var limit = read() else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }

  private static func read() -> rlimit? {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? limit : nil
  }

  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
