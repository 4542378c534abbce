/// A value that is made on first use, and again if that has failed.
///
/// A class because several owners share what was made.
package final class Lazy<Value, Failure: Error> {
  private let make: () throws(Failure) -> Value
  private var made: Value?

  package init(_ make: @escaping () throws(Failure) -> Value) { self.make = make }

  package func callAsFunction() throws(Failure) -> Value {
    if let made { return made }
    let value = try make()
    made = value
    return value
  }
}
