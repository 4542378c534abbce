import ProviderKit

// The resource `/v1/PhoneNumbers/{number}`, which `client.lookups.phone_numbers` of the SDKs still means.
// Source: `senders.md` 3.

/// Here 404 means that the number cannot exist, and apps delete users because of it. So nothing else has this
/// status, unless the setting says that the API was removed.
func lookUpNumberV1(_ context: RequestContext) throws -> Response {
  let (text, form) = (context.request[parameter: "number"], try context.request.query)
  guard context.settings.lookupV1 == .on else {
    throw APIError.notFound(context.request.target.path)
      .because("the setting lookupV1 is removed; the same facts are at /v2/PhoneNumbers")
  }
  let (types, query) = (try form.words("Type", of: LookupType.self), LookupQuery(of: text, form))
  let found = try LookupNumber(query, in: context.sandbox)
  guard let number = found.number else {
    throw APIError.notFound("/PhoneNumbers/\(text)")
      .because("the number cannot exist: \(found.problem?.rawValue ?? "")")
  }
  let line = try LookupLine(number, query, context)
  let caller = types.contains(.callerName) ? try line.callerNameV1 : nil
  let carrier = types.contains(.carrier) ? try line.carrier : nil
  let hasAddOns = !form.all("AddOns").isEmpty
  let shownTypes = types.map { "Type=\($0.rawValue)" }.joined(separator: "&")
  var response = Response.json(200) { json in
    json.member("caller_name", caller)
    json.member("country_code", number.country)
    json.member("phone_number", found.text)
    json.member("national_format", number.nationalFormat)
    json.member("carrier", carrier)
    json.member("add_ons", hasAddOns ? noAddOns : nil)
    json.member(
      "url",
      "\(context.baseURL)/v1/PhoneNumbers/\(found.text)\(types.isEmpty ? "" : "?\(shownTypes)")")
  }
  if types.contains(.fraud) { response.why = "Type: fraud is not emulated" }
  if hasAddOns { response.why = "AddOns: not emulated; they have no results" }
  return response
}

/// What was asked for, by the names of this version.
private enum LookupType: String, CaseIterable {
  case carrier
  case callerName = "caller-name"
  /// Was for a few accounts only, and is not emulated.
  case fraud
}

/// The answer of no add-on.
private let noAddOns = JSON.object([
  .init("status", "successful"), .init(name: "message", value: .null), .init(name: "code", value: .null),
  .init(name: "results", value: .object([])),
])

extension LookupLine {
  fileprivate var carrier: JSON {
    get throws {
      try object(
        of: .lineType,
        [
          ("mobile_country_code", "mobile_country_code"), ("mobile_network_code", "mobile_network_code"),
          ("carrier_name", "name"), ("type", "type"),
        ])
    }
  }

  /// Only of numbers in the United States.
  fileprivate var callerNameV1: JSON {
    get throws {
      try object(
        of: .callerName, [("caller_name", "caller_name"), ("caller_type", "caller_type")],
        isCovered: subscriber.country == "US")
    }
  }

  /// A package of the newer version with the names of this one. The only error is 60600, no data.
  private func object(
    of package: LookupPackage, _ names: [(found: String, shown: String)], isCovered: Bool = true
  ) throws -> JSON {
    let result = try result(of: package)
    let hasFailed = result.error != nil || !isCovered
    let members = names.map { name in
      let value = result.members.first { $0.name == name.found }?.value ?? .null
      return JSON.Member(
        name: name.shown, value: hasFailed ? .null : name.shown == "type" ? Self.typeV1(value) : value)
    }
    return .object(members + [.init("error_code", hasFailed ? 60600 : nil)])
  }

  /// Version 1 knows three types.
  private static func typeV1(_ type: JSON) -> JSON {
    switch type {
    case .string(LineType.mobile.lookupName), .string(LineType.landline.lookupName): type
    case .string(LineType.fixedVoip.lookupName), .string(LineType.nonFixedVoip.lookupName): .string("voip")
    default: .null
    }
  }
}
