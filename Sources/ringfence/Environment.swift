import Glibc

/// The environment that the program was started in.
enum Environment {
  /// What a variable holds; nil where it is not set or empty.
  static subscript(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
