import Isolation

/// Looks whether this machine lets `ringfence run --isolated` make namespaces of its own, by making some: this process
/// is nobody afterwards.
struct IsolationExamination: Examination {
  static let area = "isolation"

  func findings() -> [Finding] {
    do {
      try Namespaces.create()
      return [.good("ringfence run --isolated can make its namespaces")]
    } catch {
      return [
        .doubtful(
          "ringfence run --isolated cannot: \(error.reason)",
          fix: error.remedy ?? "ringfence run, by proxy variables")
      ]
    }
  }
}
