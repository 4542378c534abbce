import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/PhoneNumbers/{number}/Overrides/{field}`: another line type for an account.
// Source: `twilio_lookups_v2.json`.

func fetchOverride(_ context: RequestContext) throws -> Response {
  let (_, override) = try context.requireOverride()
  return .json(200, override.encoded)
}

func createOverride(_ context: RequestContext) throws -> Response {
  let number = try context.overriddenNumber()
  try LineTypeOverride.table.requireRoom(in: context.sandbox)
  let ordinal = context.sandbox.nextOrdinal()
  return .json(201, try context.saveOverride(of: number, ordinal: ordinal).encoded)
}

func updateOverride(_ context: RequestContext) throws -> Response {
  let (number, override) = try context.requireOverride()
  return .json(200, try context.saveOverride(of: number, ordinal: override.ordinal).encoded)
}

func deleteOverride(_ context: RequestContext) throws -> Response {
  let (number, _) = try context.requireOverride()
  try LineTypeOverride.table.delete(
    LineTypeOverride.key(number, of: context.caller.account), in: context.sandbox)
  return Response(204)
}

struct LineTypeOverride {
  var number = ""
  var original = Subscriber.LineType.mobile
  var lineType = Subscriber.LineType.mobile
  var reason: String?
  var account = ""
  var createdAt = Timestamp.earliest
  var ordinal = 0

  fileprivate static let table = RecordTable(
    "lookup override", of: TwilioProvider.name,
    Schema<LineTypeOverride>(
      nil, "A line type for one account.",
      [
        .required("number", \.number, .string, "The number."),
        .required("original", \.original, .word, "The carrier's line type."),
        .required("lineType", \.lineType, .word, "The line type instead."),
        .optional("reason", \.reason, .string, "Why."),
        .required("account", \.account, .string, "The account."),
        .required("createdAt", \.createdAt, .timestamp, "When."),
        .required("ordinal", \.ordinal, .integer, "Its ordinal."),
      ])
  ) { LineTypeOverride() }

  fileprivate static func key(_ number: PhoneNumber, of account: String) -> String { "\(account) \(number)" }

  static func find(_ number: PhoneNumber, of context: RequestContext) throws -> LineTypeOverride? {
    try table.find(key(number, of: context.caller.account), in: context.sandbox)
  }

  fileprivate var encoded: [UInt8] {
    JSONWriter.object { json in
      json.member("phone_number", number)
      json.member("original_line_type", original.lookupName)
      json.member("overridden_line_type", lineType.lookupName)
      json.member("override_reason", reason)
      json.member("override_timestamp", createdAt.iso8601)
      json.member("overridden_by_account_sid", account)
    }
  }
}

extension RequestContext {
  /// Fails with 20404 for an unknown field, and with 60200 for a number that cannot exist.
  fileprivate func overriddenNumber() throws -> PhoneNumber {
    guard ["line_type", LookupPackage.lineType.rawValue].contains(request[parameter: "field"]) else {
      throw APIError.notFound(request.target.path).because("only line_type_intelligence can be overridden")
    }
    let text = request[parameter: "number"]
    guard let number = PhoneNumber(text) else {
      throw APIError.invalidParameter("PhoneNumber", value: text, expected: PhoneNumber.expected)
    }
    return number
  }

  fileprivate func requireOverride() throws -> (PhoneNumber, LineTypeOverride) {
    let number = try overriddenNumber()
    guard let override = try LineTypeOverride.find(number, of: self) else {
      throw APIError.notFound(request.target.path).because("\(number) has no override")
    }
    return (number, override)
  }

  fileprivate func saveOverride(of number: PhoneNumber, ordinal: Int) throws -> LineTypeOverride {
    let body = try request.json
    let name = try body.string("line_type")
    guard let type = Subscriber.LineType.allCases.first(where: { $0.lookupName == name }) else {
      let all = Subscriber.LineType.allCases.map(\.lookupName).joined(separator: ", ")
      throw APIError.invalidParameter("line_type", expected: "one of \(all)")
    }
    var override = LineTypeOverride()
    override.number = number.description
    override.original = try sandbox.subscribers[number].lineType
    override.lineType = type
    override.reason = try body.optionalString("reason")
    override.account = caller.account
    override.createdAt = sandbox.clock.now
    override.ordinal = ordinal
    try LineTypeOverride.table.save(
      override, as: LineTypeOverride.key(number, of: caller.account), ordinal: ordinal, in: sandbox)
    return override
  }
}

extension Subscriber.LineType {
  /// Source: contract 16.1.
  var lookupName: String {
    switch self {
    case .mobile: "mobile"
    case .landline: "landline"
    case .fixedVoip: "fixedVoip"
    case .nonFixedVoip: "nonFixedVoip"
    case .tollFree: "tollFree"
    case .premium: "premium"
    case .sharedCost: "sharedCost"
    case .personal: "personal"
    case .pager: "pager"
    case .voicemail: "voicemail"
    case .uan: "uan"
    case .unknown: "unknown"
    }
  }
}
