/// Looks in a project's lists of dependencies for clients that `ringfence run` does not reach.
struct ProjectCheck: Check {
  static let name = "project"

  let folder: String

  func results() -> [CheckResult] {
    UnreachedPackage.all(in: folder).map {
      .warning(
        "\($0.file) has \($0.client.package ?? $0.client.name), which \($0.advice)",
        fix: $0.client.fix)
    }
  }
}
