/// A request would exceed a limit of its sandbox. Nothing that it did was kept.
package struct LimitExceeded: Error, CustomStringConvertible {
  /// By their names in the control API.
  package enum Limit: String, CaseIterable, Sendable { case messages, requestsPerSecond, storedBytes }

  package let limit: Limit
  package let maximum: Int

  package var description: String {
    let path = "limits.\(limit.rawValue)"
    return switch limit {
    case .requestsPerSecond: "\(path): expected at most \(maximum) requests per second in this sandbox"
    case .messages:
      "\(path): expected at most \(maximum) messages in this sandbox; reset it to delete them"
    case .storedBytes:
      "\(path): expected at most \(maximum) bytes of data in this sandbox; reset it to delete them"
    }
  }
}
