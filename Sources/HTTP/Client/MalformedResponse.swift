/// An answer that cannot be read, and why.
package struct MalformedResponse: Error, Equatable, CustomStringConvertible {
  /// One sentence.
  package let description: String

  /// Something wrong, in these words.
  init(_ description: String) {
    self.description = description
  }

  static let headTooLarge = Self("the head of the answer is too large")
  static let tooManyFields = Self("the answer has too many header fields")
  static let tooManyInterim = Self("the answer consists of interim ones only")
  static let upgraded = Self("the answer changes the protocol, which nobody asked for")
  static let cutOff = Self("the connection ended within the answer")
  static let empty = Self("the connection ended without an answer")
}
