package import Testing

/// The part of a contract that a suite or a test holds the code to. It is printed when a golden differs, and
/// stands in the first line of each golden.
package struct Contract: SuiteTrait, TestTrait {
  /// A file and section, or a page and the day it was read.
  package let source: String

  /// Tests within a suite have its contract unless they name their own.
  package var isRecursive: Bool { true }

  /// Printed with the test.
  package var comments: [Comment] { [Comment(rawValue: "Source: \(source)")] }

  /// The contract of the test that runs now: its own, or the innermost suite's.
  package static var current: Contract? {
    Test.current?.traits.compactMap { $0 as? Contract }.last
  }
}

extension Trait where Self == Contract {
  /// Names the part of a contract: `"twilio-verify.md 4.4"`.
  package static func contract(_ source: String) -> Self { Contract(source: source) }

  /// Names a page and the day it was read.
  package static func contract(_ page: String, read day: String) -> Self {
    Contract(source: "\(page), read \(day)")
  }
}
