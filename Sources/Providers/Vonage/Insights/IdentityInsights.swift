import ProviderKit

// The resource `/identity-insights/v1/requests`. Source: contract 10.

func requestInsights(_ context: RequestContext) throws -> Response {
  let type = context.request.headers["Content-Type"] ?? "application/json"
  guard type.lowercased().hasPrefix("application/json") else { throw APIError(.contentType) }
  let form = try InsightForm(context)
  let results = try form.insights.map { (name: $0.name, result: try InsightResult(of: $0, form, context)) }
  return .json(200) { json in
    json.member("request_id", UUIDText.version4(context.sandbox.requestIdentifier("vonage insights")))
    json.object("insights") { json in
      for (name, result) in results { json.object(named: name) { result.write(to: &$0) } }
    }
  }
}

/// A requested insight. Source: contract 10.
enum Insight {
  case format
  /// Hours.
  case simSwap(period: Int)
  case deviceSwap(period: Int)
  case originalCarrier
  case currentCarrier
  case roaming
  case reachability
  case subscriberMatch([SubscriberTrait: String])
  case location

  static let names = [
    "format", "sim_swap", "device_swap", "original_carrier", "current_carrier", "roaming", "reachability",
    "subscriber_match", "location_verification",
  ]

  var name: String {
    switch self {
    case .format: Self.names[0]
    case .simSwap: Self.names[1]
    case .deviceSwap: Self.names[2]
    case .originalCarrier: Self.names[3]
    case .currentCarrier: Self.names[4]
    case .roaming: Self.names[5]
    case .reachability: Self.names[6]
    case .subscriberMatch: Self.names[7]
    case .location: Self.names[8]
    }
  }

  /// True if the operator is asked, which needs the person's consent.
  var asksOperator: Bool {
    switch self {
    case .format, .originalCarrier, .currentCarrier: false
    case .simSwap, .deviceSwap, .roaming, .reachability, .subscriberMatch, .location: true
    }
  }
}

/// The body of a request. Source: contract 10.
struct InsightForm {
  /// Nil for a text that is no number.
  let number: PhoneNumber?
  let purpose: String?
  private(set) var insights: [Insight] = []

  init(_ context: RequestContext) throws {
    let faults = Faults()
    let body = Reader(fields: try context.request.json, faults: faults)
    let text = body.text("phone_number", "1 to 100 characters", required: true) {
      (1...100).contains($0.utf8.count)
    }
    number = text.flatMap { DialledText($0.hasPrefix("+") ? $0 : "+\($0)", from: "").number }
    purpose = body.text("purpose", "1 to 100 characters") { (1...100).contains($0.utf8.count) }
    do {
      if let wanted = try body.fields.optionalObject("insights") {
        insights = Self.insights(Reader(fields: wanted, faults: faults, place: "insights."))
      }
      if insights.isEmpty { body.note("insights", "expected at least one insight") }
    } catch {
      body.note("insights", "expected an object")
    }
    try faults.check(as: .validation)
  }

  private static func insights(_ reader: Reader) -> [Insight] {
    reader.fields.names.compactMap { name -> Insight? in
      let object: Fields?
      do {
        object = try reader.fields.optionalObject(name)
      } catch {
        reader.note(name, "expected an object")
        return nil
      }
      guard let object else { return nil }
      let nested = Reader(fields: object, faults: reader.faults, place: "\(reader.place)\(name).")
      switch name {
      case "format": return .format
      case "sim_swap": return .simSwap(period: nested.integer("period", 1...2400) ?? 240)
      case "device_swap": return .deviceSwap(period: nested.integer("period", 1...2400) ?? 240)
      case "original_carrier": return .originalCarrier
      case "current_carrier": return .currentCarrier
      case "roaming": return .roaming
      case "reachability": return .reachability
      case "subscriber_match": return .subscriberMatch(SubscriberTrait.claims(nested))
      case "location_verification":
        checkLocation(nested)
        return .location
      default:
        reader.note(name, "expected one of \(Insight.names.joined(separator: ", "))")
        return nil
      }
    }
  }

  private static func checkLocation(_ reader: Reader) {
    let area: Fields?
    do {
      area = try reader.fields.optionalObject("location")
    } catch {
      return reader.note("location", "expected an object")
    }
    guard let area else { return }
    let nested = Reader(fields: area, faults: reader.faults, place: "\(reader.place)location.")
    _ = nested.text("type", "CIRCLE") { $0 == "CIRCLE" }
    _ = nested.integer("radius", 2000...200_000)
    // The sandbox's network locates no phone, so the center is not compared with anything.
    _ = try? area.optionalJSON("center")
  }
}

/// The answer to one insight, from the carrier's record. Source: contract 10.
struct InsightResult {
  private enum Status: String {
    case ok = "OK"
    case invalidNumber = "INVALID_NUMBER_FORMAT"
    case unsupportedNetwork = "UNSUPPORTED_NETWORK_TYPE"
    case noCoverage = "NO_COVERAGE"
    case notFound = "NOT_FOUND"
    case unauthorized = "UNAUTHORIZED"
    case invalidPurpose = "INVALID_PURPOSE"
    case supplierError = "SUPPLIER_ERROR"
    case idDocumentRequired = "SUBSCRIBER_MATCH.ID_DOCUMENT_REQUIRED"
    case idDocumentMismatch = "SUBSCRIBER_MATCH.ID_DOCUMENT_MISMATCH"

    var message: String {
      switch self {
      case .ok: "Success"
      case .invalidNumber: "The phone number format is not valid for assignment by carriers to users."
      case .unsupportedNetwork: "The network type is not supported for this Insight."
      case .noCoverage: "The country or mobile network is not supported by available suppliers."
      case .notFound: "The phone number could not be found for this Insight."
      case .unauthorized:
        "The request could not be authorized for the combination of application, supplier, and phone number."
      case .invalidPurpose: "The purpose used is not valid or allowed for this Insight."
      case .supplierError: "The supplier returned an error while processing the request."
      case .idDocumentRequired: "Operator requires idDocument to match any other attributes."
      case .idDocumentMismatch:
        "Operator cannot match idDocument which is required to match any other attributes."
      }
    }
  }

  private let status: Status
  private var content: (inout JSONWriter) -> Void = { _ in }

  init(of insight: Insight, _ form: InsightForm, _ context: RequestContext) throws {
    let sandbox = context.sandbox
    guard let number = form.number else {
      status = .invalidNumber
      if case .format = insight { content = FormatInsight.invalid }
      return
    }
    let isValid = try SilentURL.isVirtual(number) || sandbox.numbers.validity(of: number) == .valid
    let line = try sandbox.subscribers[number]
    if case .format = insight {
      status = .ok
      content = FormatInsight(line, isValid: isValid).write
      return
    }
    status = try Self.obstacle(to: insight, isValid: isValid, line, form, context) ?? .ok
    if status == .ok { content = Self.content(of: insight, line, at: sandbox.clock.now) }
  }

  func write(to json: inout JSONWriter) {
    content(&json)
    json.object("status") { json in
      json.member("code", status.rawValue)
      json.member("message", status.message)
    }
  }

  /// Nil if the record can answer.
  private static func obstacle(
    to insight: Insight, isValid: Bool, _ line: Subscriber, _ form: InsightForm, _ context: RequestContext
  ) throws -> Status? {
    let (sandbox, now) = (context.sandbox, context.sandbox.clock.now)
    if SilentURL.isVirtual(line.number) {
      if let status = virtualStatus(of: line.number) { return status }
    } else if !isValid {
      return .invalidNumber
    }
    if case .originalCarrier = insight { return nil }
    guard line.lineType == .mobile else { return .unsupportedNetwork }
    guard !line.isDeactivated(at: now) else { return .notFound }
    guard insight.asksOperator else { return nil }
    if let purpose = form.purpose, !context.settings.purposes.contains(purpose) { return .invalidPurpose }
    guard try sandbox.subscribers.contains(line.number) else { return .notFound }
    if case .location = insight { return .noCoverage }
    let purpose = "dpv:\(form.purpose ?? "FraudPreventionAndDetection")"
    guard line.consent[purpose] != .denied else { return .unauthorized }
    let isDown = try sandbox.scenarios.isOperatorDown(for: line, provider: VonageProvider.name)
    guard !isDown else { return .supplierError }
    guard case .subscriberMatch(let claims) = insight, context.settings.idDocumentRequired else { return nil }
    guard let claim = claims[.idDocument] else { return .idDocumentRequired }
    let recorded = SubscriberTrait.idDocument.recorded(of: line.kyc) ?? ""
    return SubscriberTrait.idDocument.result(of: claim, with: recorded) == .exact ? nil : .idDocumentMismatch
  }

  /// Only some numbers of the virtual operator answer. Source: contract 11.
  private static func virtualStatus(of number: PhoneNumber) -> Status? {
    let digits = number.description.dropFirst("+990".utf8.count)
    if digits == "123499" { return .notFound }
    let known = ["00", "11", "22", "33", "44", "55", "66", "77", "88"].map { "1234\($0)" }
    return known.contains(String(digits)) ? nil : .invalidNumber
  }

  private static func content(
    of insight: Insight, _ line: Subscriber, at now: Timestamp
  ) -> (inout JSONWriter) -> Void {
    switch insight {
    case .format, .location: { _ in }
    case .simSwap(let period): swap(line.simSwaps.max(), "latest_sim_swap_at", period, at: now)
    case .deviceSwap(let period): swap(line.deviceSwaps.max(), "latest_device_swap_at", period, at: now)
    case .originalCarrier: { CarrierInsight(original: line).write(to: &$0) }
    case .currentCarrier: { CarrierInsight(current: line).write(to: &$0) }
    case .roaming:
      { json in
        json.member("latest_status_at", now.iso8601Milliseconds)
        json.member("is_roaming", line.roaming.isOn)
        if line.roaming.isOn { json.member("country_codes", line.roaming.countries) }
      }
    case .reachability:
      { json in
        let connectivity = (line.reach.data ? ["DATA"] : []) + (line.reach.sms ? ["SMS"] : [])
        let isReachable = !connectivity.isEmpty && !line.suspended
        json.member("latest_status_at", now.iso8601Milliseconds)
        json.member("is_reachable", isReachable)
        if isReachable { json.member("connectivity", connectivity) }
      }
    case .subscriberMatch(let claims): { SubscriberMatch(of: claims, with: line).write(to: &$0) }
    }
  }

  private static func swap(
    _ latest: Timestamp?, _ name: StaticString, _ period: Int, at now: Timestamp
  ) -> (inout JSONWriter) -> Void {
    { json in
      if let latest { json.member(name, latest.iso8601Milliseconds) }
      json.member("is_swapped", latest.map { $0 > now - .seconds(period * 3600) } ?? false)
    }
  }
}

/// The form of a number and where it comes from. Source: contract 10.
private struct FormatInsight {
  let line: Subscriber
  let isValid: Bool
  let territory: Territory?

  init(_ line: Subscriber, isValid: Bool) {
    self.line = line
    self.isValid = isValid
    territory = Territory.of(String(line.number.description.dropFirst()), in: line.country)
  }

  /// Of a text that is no number.
  static func invalid(_ json: inout JSONWriter) {
    json.member("time_zones", ["unknown"])
    json.member("is_format_valid", false)
  }

  func write(to json: inout JSONWriter) {
    if let country = line.country ?? territory?.iso2 { json.member("country_code", country) }
    if let territory {
      json.member("country_name", territory.name)
      json.member("country_prefix", territory.callingCode)
      if isValid, line.lineType == .mobile || line.lineType == .landline {
        json.member("offline_location", territory.name)
      }
    }
    let zones = isValid ? territory?.timeZones ?? [] : []
    json.member("time_zones", zones.isEmpty ? ["unknown"] : zones)
    json.member("number_international", line.number.description)
    json.member("number_national", line.number.nationalFormat)
    json.member("is_format_valid", isValid)
  }
}

/// A network of a number. Source: contract 10.
private struct CarrierInsight {
  let name: String?
  let type: String
  let country: String?
  let code: String

  init(current line: Subscriber) {
    name = line.operatorName
    type = "MOBILE"
    country = line.country
    code = line.mcc + line.mnc
  }

  /// The record has the name of the present network only.
  init(original line: Subscriber) {
    let isSame = line.originalMCC == line.mcc && line.originalMNC == line.mnc
    name = isSame && line.lineType == .mobile ? line.operatorName : nil
    type =
      switch line.lineType {
      case .mobile, .personal, .pager, .unknown: "MOBILE"
      case .landline, .voicemail, .uan, .sharedCost: "LANDLINE"
      case .tollFree: "TOLLFREE"
      case .premium: "PREMIUM"
      case .fixedVoip, .nonFixedVoip: "VIRTUAL"
      }
    country = line.country
    code = line.originalMCC + line.originalMNC
  }

  func write(to json: inout JSONWriter) {
    if let name { json.member("name", name) }
    json.member("network_type", type)
    if let country { json.member("country_code", country) }
    json.member("network_code", code)
  }
}
