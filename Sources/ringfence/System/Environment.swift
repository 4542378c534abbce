import Glibc

/// The environment that the program was started in.
enum Environment {
  /// What a variable holds; nil where it is not set or empty.
  static subscript(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Every variable with its value.
  static var all: [String: String] {
    var all: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { all[String(parts[0])] = String(parts[1]) }
      next += 1
    }
    return all
  }
}
