import Domain
import JSON
import ProviderKit

/// A test number: nothing is sent to it, and only its own code is right. Source: contract 6.3 and 15.
struct TestNumber {
  /// The number.
  let number: PhoneNumber
  /// The one code that a check accepts.
  let attemptCode: String
  /// When it was added first.
  let createdAt: Timestamp

  /// The test number that a number is, if it is one.
  static func find(_ number: PhoneNumber, in sandbox: Sandbox) throws -> TestNumber? {
    try records.find(number.description, in: sandbox, as: TestNumber.init)
  }

  /// All of the account, oldest first.
  static func all(in sandbox: Sandbox) throws -> [TestNumber] {
    try records.list(in: sandbox, as: TestNumber.init).map(\.record)
  }

  /// Adds a test number, or gives it another code.
  static func keep(_ number: PhoneNumber, code: String, in sandbox: Sandbox) throws {
    let createdAt = try find(number, in: sandbox)?.createdAt ?? sandbox.clock.now
    try records.keep(number.description, in: sandbox) {
      $0.member("number", number.description)
      $0.member("attemptCode", code)
      $0.member("createdAt", createdAt.milliseconds)
    }
  }

  /// Makes a test number an ordinary one, be it one or not.
  static func forget(_ number: PhoneNumber, in sandbox: Sandbox) throws {
    try records.forget(number.description, in: sandbox)
  }

  /// Reads the code of one.
  static func code(_ name: String, in fields: Fields) throws -> String {
    let code = try fields.string(name)
    guard isDigits(code, 4...8) else { throw fields.mismatch(name, expected: "4 to 8 digits") }
    return code
  }

  private init(_ fields: Fields) throws {
    number = try fields.phoneNumber("number")
    attemptCode = try fields.string("attemptCode")
    createdAt = try fields.timestamp("createdAt")
  }

  private static let records = Records("test number")
}
