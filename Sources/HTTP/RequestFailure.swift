/// Why a request fails outside its handler. Every route owner turns each case into a response.
package enum RequestFailure: Sendable, Equatable {
  case unknownPath
  /// The path exists, but only with these methods.
  case wrongMethod(allowed: [Method])
  /// The query, form, JSON or path is invalid. Names the field, if known.
  case malformed(field: String?, expected: String)
  /// The provider has this operation; the sandbox does not emulate it.
  case notEmulated
  /// A status, an error code of the owner, or both: for an injected fault, a request that opens no WebSocket,
  /// or too many requests.
  case fault(status: Status?, code: String?)
  /// The request is too large, or not HTTP as the server reads it. `why` is a sentence.
  case rejected(status: Status, why: String)
  /// Nothing that the request did was kept.
  case internalError
  /// The server has no room for another connection, or the sandbox for more data. The request changed
  /// nothing.
  case overload
}
