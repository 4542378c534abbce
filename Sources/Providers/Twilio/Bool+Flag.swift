extension Bool {
  /// `true` or `false` in any letter case; nil for anything else. Source: contract 1.3.
  init?(flag text: String) {
    switch text.lowercased() {
    case "true": self = true
    case "false": self = false
    default: return nil
    }
  }
}
