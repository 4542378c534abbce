import ProviderKit

// The resource `/v2/PhoneNumbers/{number}/Overrides/{field}`: another line type for an account.
// Source: `twilio_lookups_v2.json`.

func fetchOverride(_ context: RequestContext) throws -> Response {
  let override = try LineTypeOverride.named(by: context)
  return .json(200, override.encoded)
}

func createOverride(_ context: RequestContext) throws -> Response {
  let number = try LineTypeOverride.number(in: context.request)
  try LineTypeOverride.table.requireRoom(in: context.sandbox)
  let ordinal = context.sandbox.nextOrdinal()
  return .json(201, try LineTypeOverride.save(number, ordinal: ordinal, for: context).encoded)
}

func updateOverride(_ context: RequestContext) throws -> Response {
  let number = try LineTypeOverride.number(in: context.request)
  let ordinal = try LineTypeOverride.named(by: context).ordinal
  return .json(200, try LineTypeOverride.save(number, ordinal: ordinal, for: context).encoded)
}

func deleteOverride(_ context: RequestContext) throws -> Response {
  let override = try LineTypeOverride.named(by: context)
  try LineTypeOverride.table.delete(override.key, in: context.sandbox)
  return Response(204)
}

struct LineTypeOverride {
  var number = ""
  var original = LineType.mobile
  var lineType = LineType.mobile
  var reason: String?
  var account = ""
  var createdAt = Timestamp.earliest
  var ordinal = 0

  fileprivate static let table = RecordTable(
    "lookup override", of: TwilioProvider.name,
    Schema<LineTypeOverride>([
      .required("number", \.number, .string),
      .required("original", \.original, .word),
      .required("lineType", \.lineType, .word),
      .optional("reason", \.reason, .string),
      .required("account", \.account, .string),
      .required("createdAt", \.createdAt, .timestamp),
      .required("ordinal", \.ordinal, .ordinal),
    ])
  ) { LineTypeOverride() }

  fileprivate var key: String { Self.key(number, of: account) }

  private static func key(_ number: String, of account: String) -> String { "\(account) \(number)" }

  static func find(_ number: PhoneNumber, of context: RequestContext) throws -> LineTypeOverride? {
    try table.find(key(number.description, of: context.caller.account), in: context.sandbox)
  }

  /// The number of the path. Fails with 20404 for an unknown field, and with 60200 for a number that cannot
  /// exist.
  fileprivate static func number(in request: Request) throws -> PhoneNumber {
    guard ["line_type", LookupPackage.lineType.rawValue].contains(request[parameter: "field"]) else {
      throw APIError.notFound(request.target.path).because("only line_type_intelligence can be overridden")
    }
    let text = request[parameter: "number"]
    guard let number = PhoneNumber(text) else {
      throw APIError.invalidParameter("PhoneNumber", value: text, expected: PhoneNumber.expected)
    }
    return number
  }

  /// The override of the path.
  fileprivate static func named(by context: RequestContext) throws -> LineTypeOverride {
    let number = try number(in: context.request)
    guard let override = try find(number, of: context) else {
      throw APIError.notFound(context.request.target.path).because("\(number) has no override")
    }
    return override
  }

  /// Stores what the body says for a number.
  fileprivate static func save(
    _ number: PhoneNumber, ordinal: Int, for context: RequestContext
  ) throws -> LineTypeOverride {
    let body = try context.request.json
    let name = try body.string("line_type")
    guard let type = LineType.allCases.first(where: { $0.lookupName == name }) else {
      let all = LineType.allCases.map(\.lookupName).joined(separator: ", ")
      throw APIError.invalidParameter("line_type", expected: "one of \(all)")
    }
    var override = LineTypeOverride()
    override.number = number.description
    override.original = try context.sandbox.subscribers[number].lineType
    override.lineType = type
    override.reason = try body.optionalString("reason")
    override.account = context.caller.account
    override.createdAt = context.sandbox.clock.now
    override.ordinal = ordinal
    try table.save(override, as: override.key, ordinal: ordinal, in: context.sandbox)
    return override
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

extension LineType {
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
