extension Int {
  /// As many of a thing: `1 fault`, `2 faults`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
