/// An error that a handler throws, with the response to send.
package protocol ResponseError: Error {
  var response: Response { get }
  /// The real reason, for the journal; nil if the response already states it.
  var why: String? { get }
}
