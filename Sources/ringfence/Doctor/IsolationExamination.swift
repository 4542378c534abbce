import Glibc

/// Looks whether this machine lets `ringfence run --isolated` make namespaces of its own.
struct IsolationExamination: Examination {
  static let area = "isolation"

  func findings() -> [Finding] {
    guard access("/proc/self/ns/user", F_OK) == 0 else {
      return [.note("ringfence run --isolated needs Linux", fix: "ringfence run, by proxy variables")]
    }
    let obstacles = Self.obstacles.filter {
      setting($0.setting) == $0.value && ($0.bindsRoot || geteuid() != 0)
    }
    guard let obstacle = obstacles.first else {
      return [.good("ringfence run --isolated may make its namespaces")]
    }
    return [
      .doubtful(
        "ringfence run --isolated may not make namespaces: \(obstacle.setting) is \(obstacle.value)",
        fix: "sudo sysctl -w \(obstacle.setting)=\(obstacle.remedy)", "or ringfence run, by proxy variables")
    ]
  }

  /// Settings of the kernel that forbid it: Linux's own, Debian's and Ubuntu's.
  private static let obstacles: [(setting: String, value: Int, remedy: Int, bindsRoot: Bool)] = [
    ("user.max_user_namespaces", 0, 1_000, true), ("kernel.unprivileged_userns_clone", 0, 1, false),
    ("kernel.apparmor_restrict_unprivileged_userns", 1, 0, false),
  ]

  /// The number that a setting has; nil where the kernel knows of none.
  private func setting(_ name: String) -> Int? {
    let path = "/proc/sys/" + String(name.map { $0 == "." ? "/" : $0 })
    guard let bytes = try? Files.read(path) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" })
  }
}
