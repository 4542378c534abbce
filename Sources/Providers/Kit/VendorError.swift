package import Domain
package import HTTP

/// An error in a vendor's format.
package protocol VendorError: ResponseError {
  /// What really happened, for the journal.
  var why: String? { get set }
  /// Fills in what the vendor's error bodies say of the request: when it came, and its id.
  mutating func stamp(at time: Timestamp, requestID: String)
}

extension VendorError {
  /// The same error with the reason for the journal.
  package func because(_ why: String) -> Self {
    var error = self
    error.why = why
    return error
  }

  /// The same error as it is sent.
  package func stamped(at time: Timestamp, requestID: String) -> Self {
    var error = self
    error.stamp(at: time, requestID: requestID)
    return error
  }
}
