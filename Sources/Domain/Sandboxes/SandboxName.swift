import JSON

/// The name of a sandbox: 1 to 64 letters, digits, `-`, `_` and `.`, so that it fits in a path as it is.
package struct SandboxName: Equatable, Sendable {
  /// The name.
  package let text: String

  /// A name, or nil for any other text.
  package init?(_ text: String) {
    let isValid = text.utf8.allSatisfy {
      $0.isAlphanumeric
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
    }
    guard (1...64).contains(text.utf8.count), isValid, text != ".", text != ".." else { return nil }
    self.text = text
  }
}
