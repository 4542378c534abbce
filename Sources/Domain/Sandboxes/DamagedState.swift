/// An error of stored state that this program cannot have written: the database or a snapshot is damaged.
package struct DamagedState: Error, CustomStringConvertible {
  package let description: String

  package init(expected: String) {
    description = "damaged state: expected \(expected)"
  }
}
