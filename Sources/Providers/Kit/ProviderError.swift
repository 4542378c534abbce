/// An error response in a provider's format.
package protocol ProviderError: ResponseError {
  /// The cause, for the journal.
  var why: String? { get set }
  /// Adds the request's time and id, for providers whose error bodies have them.
  mutating func stamp(at time: Timestamp, requestID: String)
}

extension ProviderError {
  package mutating func stamp(at time: Timestamp, requestID: String) {}

  /// The same error with its cause for the journal, and what to change.
  package func because(_ why: String, change: String? = nil) -> Self {
    var error = self
    error.why = why.advising(change)
    return error
  }

  /// The same error with the request's time and id.
  package func stamped(at time: Timestamp, requestID: String) -> Self {
    var error = self
    error.stamp(at: time, requestID: requestID)
    return error
  }
}

/// A member as providers name it: a JSON path without the root; `body` for the root itself, or for nil.
package func memberName(of path: String?) -> String {
  guard let path, path != "$" else { return "body" }
  return path.hasPrefix("$.") ? String(path.dropFirst(2)) : path
}
