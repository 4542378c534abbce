import ProviderKit

// The resource `/v2/PhoneNumbers/{number}`. Source: contract 16.1.

/// A number that cannot exist is no error.
func lookUpNumber(_ context: RequestContext) throws -> Response {
  let query = try LookupQuery(context.request[parameter: "number"], context.request.query)
  let lookup = try Lookup(query, context)
  return .json(200) { json in
    lookup.write(to: &json)
    json.member(
      "url", "\(context.baseURL)/v2/PhoneNumbers/\(PercentCoding.encode(lookup.number.text, keeping: "+"))")
  }
}

/// `POST /v2/batch/query`. Source: `twilio_lookups_v2.json`.
func lookUpBatch(_ context: RequestContext) throws -> Response {
  let entries = try context.request.json.objects("phone_numbers", atMost: 100)
  let lookups = try entries.map { fields in
    (id: try fields.optionalString("correlation_id"), lookup: try Lookup(LookupQuery(fields), context))
  }
  return .json(200) { json in
    json.array("phone_numbers", lookups) { json, entry in
      json.value { json in
        json.member("correlation_id", entry.id)
        json.null("twilio_error_code")
        entry.lookup.write(to: &json)
      }
    }
  }
}

/// One lookup with its packages.
struct Lookup {
  let number: LookupNumber
  private let query: LookupQuery
  private let results: [LookupPackage: LookupResult]

  init(_ query: LookupQuery, _ context: RequestContext) throws {
    self.query = query
    number = try LookupNumber(query, in: context.sandbox)
    var results: [LookupPackage: LookupResult] = [:]
    if let number = number.number {
      let line = try LookupLine(number, query, context)
      for package in query.packages { results[package] = try line.result(of: package) }
    }
    self.results = results
  }

  func write(to json: inout JSONWriter) {
    json.member("calling_country_code", number.number?.callingCode)
    json.member("country_code", number.number?.country)
    json.member("phone_number", number.text)
    json.member("national_format", number.number?.nationalFormat)
    json.member("valid", number.problem == nil)
    json.member("validation_errors", [number.problem?.rawValue].compactMap(\.self))
    for package in LookupPackage.allCases {
      guard let result = results[package] else {
        json.member(named: package.rawValue, JSON.null)
        continue
      }
      json.object(named: package.rawValue) { result.write(package, to: &$0) }
    }
  }
}

/// The object of a package: its members without `error_code`, all null in an error.
struct LookupResult {
  var members: [JSON.Member]
  /// Source: contract 13.4.
  var error: Int?
  var errorMessage: String?

  init(_ members: [JSON.Member]) { self.members = members }

  /// The members of a package without values.
  init(error: Int, _ names: [String], message: String? = nil) {
    members = names.map { JSON.Member(name: $0, value: .null) }
    self.error = error
    errorMessage = message
  }

  func write(_ package: LookupPackage, to json: inout JSONWriter) {
    for member in members { json.member(named: member.name, member.value) }
    // A text in this package, a number in all others. Source: `twilio_lookups_v2.json`.
    if package == .reassignedNumber {
      json.member("error_code", error.map { String($0) })
    } else {
      json.member("error_code", error)
    }
    if package == .identityMatch { json.member("error_message", errorMessage) }
  }
}
