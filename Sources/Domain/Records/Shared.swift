/// A value shared by requests.
///
/// A class because copying a record with thirty fields takes longer than most requests spend reading it.
package final class Shared<Value> {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

extension Shared: Sendable where Value: Sendable {}
