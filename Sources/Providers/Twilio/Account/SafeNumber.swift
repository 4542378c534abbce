import ProviderKit

// The resource `/v2/SafeList/Numbers`: numbers that fraud protection does not block. Source: contract 8.3.

/// A phone number, or the beginning of several, on an account's list.
struct SafeNumber: Equatable, Sendable {
  var sid = ""
  var account = ""
  /// `+` and 1 to 15 digits.
  var number = ""

  private static let schema = Schema<SafeNumber>([
    .required("sid", \.sid, .string),
    .required("account", \.account, .string),
    .required("number", \.number, .string),
  ])

  fileprivate static let table = RecordTable("safeNumber", of: TwilioProvider.name, schema) { SafeNumber() }

  /// The entry of exactly this number.
  fileprivate static func find(_ number: String, of account: String, in sandbox: Sandbox) throws
    -> SafeNumber?
  {
    try table.find(key(number, of: account), in: sandbox)
  }

  /// The entry of the path.
  fileprivate static func named(by context: RequestContext) throws -> SafeNumber {
    let number = context.request[parameter: "number"]
    guard let entry = try find(number, of: context.caller.account, in: context.sandbox) else {
      throw context.notFound("\(number) is not in the SafeList of \(context.caller.account)")
    }
    return entry
  }

  /// True if the account's list has the number or one of its prefixes.
  static func covers(_ number: PhoneNumber, of account: String, in sandbox: Sandbox) throws -> Bool {
    var prefix = ""
    for character in number.description {
      prefix.append(character)
      if try find(prefix, of: account, in: sandbox) != nil { return true }
    }
    return false
  }

  fileprivate static func key(_ number: String, of account: String) -> String { "\(account) \(number)" }

  fileprivate static func isValid(_ text: String) -> Bool {
    text.hasPrefix("+") && (2...16).contains(text.utf8.count)
      && text.utf8.dropFirst().allSatisfy { $0.isDigit }
  }

  fileprivate func body(baseURL: String) -> [UInt8] {
    JSONWriter.object { json in
      json.member("sid", sid)
      json.member("phone_number", number)
      json.member("url", "\(baseURL)/v2/SafeList/Numbers/\(number)")
    }
  }
}

func createSafelist(_ context: RequestContext) throws -> Response {
  let form = try context.request.form
  let number = form.text("PhoneNumber") ?? ""
  guard SafeNumber.isValid(number) else {
    throw APIError.invalidParameter("PhoneNumber", expected: "+ and 1 to 15 digits")
  }
  let (account, sandbox) = (context.caller.account, context.sandbox)
  guard try SafeNumber.find(number, of: account, in: sandbox) == nil else {
    throw APIError(code: 60411).because("PhoneNumber: \(number) is in the SafeList")
  }
  try SafeNumber.table.requireRoom(in: sandbox, limit: SandboxLimits.services)
  let ordinal = sandbox.nextOrdinal()
  let sid = sandbox.entropy.labelledIdentifier("GN", ordinal)
  let entry = SafeNumber(sid: sid, account: account, number: number)
  try SafeNumber.table.save(
    entry, as: SafeNumber.key(number, of: account), group: account, ordinal: ordinal, in: sandbox)
  return .json(201, entry.body(baseURL: context.baseURL))
}

func fetchSafelist(_ context: RequestContext) throws -> Response {
  .json(200, try SafeNumber.named(by: context).body(baseURL: context.baseURL))
}

func deleteSafelist(_ context: RequestContext) throws -> Response {
  let entry = try SafeNumber.named(by: context)
  try SafeNumber.table.delete(SafeNumber.key(entry.number, of: entry.account), in: context.sandbox)
  return Response(204)
}
