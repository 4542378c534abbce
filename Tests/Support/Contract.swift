package import Testing

/// The part of a contract that a suite or a test checks. It is printed when a golden differs, and is in the
/// first line of each golden.
package struct Contract: SuiteTrait, TestTrait {
  /// A file and a section, or a page and the day on which it was read.
  package let source: String

  /// Tests inherit the contract of their suite unless they name their own.
  package var isRecursive: Bool { true }

  package var comments: [Comment] { [Comment(rawValue: "Source: \(source)")] }

  /// The contract of the running test: its own, or that of the innermost suite.
  package static var current: Contract? {
    Test.current?.traits.compactMap { $0 as? Contract }.last
  }
}

extension Trait where Self == Contract {
  /// Names the part of a contract: `"twilio-verify.md 4.4"`.
  package static func contract(_ source: String) -> Self { Contract(source: source) }

  /// Names a page and the day on which it was read.
  package static func contract(_ page: String, read day: String) -> Self {
    Contract(source: "\(page), read \(day)")
  }
}
