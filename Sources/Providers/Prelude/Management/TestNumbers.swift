import ProviderKit

// The resource `/v2/verification/management/phone-numbers/sandbox`. Source: contract 6.3.

func listTestNumbers(_ context: RequestContext) throws -> Response {
  try context.settings.requireManagement()
  let numbers = try TestNumber.all(in: context.sandbox)
  return .json(200) { json in
    json.array("phone_numbers", numbers) { json, number in
      json.value {
        number.write(to: &$0)
        $0.member("created_at", number.createdAt.iso8601Milliseconds)
      }
    }
  }
}

func putTestNumber(_ context: RequestContext) throws -> Response {
  let body = try context.request.json
  let (text, code) = (try body.string("phone_number"), try body.string("attempt_code"))
  guard Validation.isDigits(code, 4...8) else {
    throw body.mismatch("attempt_code", expected: "4 to 8 digits")
  }
  try context.settings.requireManagement()
  var number = TestNumber(at: context.sandbox.clock.now)
  number.number = try Validation.e164(text, param: "phone_number").description
  number.attemptCode = code
  try number.save(in: context.sandbox)
  return .json(200) { number.write(to: &$0) }
}

func deleteTestNumber(_ context: RequestContext) throws -> Response {
  try context.settings.requireManagement()
  let number = try Validation.e164(context.request[parameter: "number"], param: "phone_number")
  try TestNumber.delete(number, in: context.sandbox)
  return .json(200) { $0.member("phone_number", number.description) }
}

/// A number that nothing is sent to and that has one valid code. Source: contract 6.3 and 15.
struct TestNumber: StoredRecord {
  /// E.164.
  var number = ""
  var attemptCode = ""
  fileprivate(set) var createdAt: Timestamp

  static let schema = Schema<TestNumber>(
    nil, "A test number.",
    [
      .required("number", \.number, .e164, "E.164: + and 7 to 15 digits, the first not zero."),
      .required("attemptCode", \.attemptCode, .digits(4...8), "The valid code."),
    ])

  init(at createdAt: Timestamp) { self.createdAt = createdAt }

  static func find(_ number: PhoneNumber, in sandbox: Sandbox) throws -> TestNumber? {
    try table.find(number.description, in: sandbox)
  }

  /// Adds the number, or replaces its code.
  func save(in sandbox: Sandbox) throws {
    var record = self
    if let known = try Self.table.find(number, in: sandbox) {
      record.createdAt = known.createdAt
    } else {
      try Self.table.requireRoom(in: sandbox)
    }
    try Self.table.save(record, as: number, in: sandbox)
  }

  static func delete(_ number: PhoneNumber, in sandbox: Sandbox) throws {
    try table.delete(number.description, in: sandbox)
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.member("phone_number", number)
    json.member("attempt_code", attemptCode)
  }

  var key: String { number }
  static let table = RecordTable<TestNumber>("test number", of: PreludeProvider.name) { fields in
    var record = TestNumber(at: try fields.timestamp("createdAt"))
    try schema.merge(fields, into: &record)
    return record
  } encode: { record, json in
    schema.write(record, to: &json)
    json.member("createdAt", record.createdAt.milliseconds)
  }
}
