import JSON
import ProviderKit

/// A test number as it is added. Source: contract 6.3.
struct TestNumberForm {
  /// The number, as it came.
  let phoneNumber: String
  /// The code that alone will be right.
  let attemptCode: String

  /// Reads the body.
  init(_ fields: Fields) throws {
    phoneNumber = try fields.string("phone_number")
    attemptCode = try TestNumber.code("attempt_code", in: fields)
  }
}
