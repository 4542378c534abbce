/// An answer that says no, thrown by a handler in its owner's own words.
package protocol ResponseError: Error {
  /// The answer to send.
  var response: Response { get }
  /// For the journal: what really happened, in plain words; nil when the answer says it all.
  var why: String? { get }
}

/// Why a request is refused before or beside its handler; every owner has words for each of these.
package enum RequestFailure: Sendable, Equatable {
  /// No route has this path.
  case unknownPath
  /// The path is known, with these methods only.
  case wrongMethod(allowed: [Method])
  /// Query, form, JSON or path cannot be read; the field where known, and what was expected.
  case malformed(field: String?, expected: String)
  /// The vendor has this operation; we do not emulate it.
  case notEmulated
  /// A fault that the control API asked for: a status, or one of the owner's own codes, or both.
  case fault(status: Status?, code: String?)
  /// Something of ours failed; nothing of the request was kept.
  case failure
  /// There is no room for another connection; the request was not looked at.
  case overload
}
