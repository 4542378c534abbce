import ProviderKit

/// The add-ons of PhoneID. Source: contract 10.3.
enum AddOn: String, CaseIterable {
  case contact
  case contactPlus = "contact_plus"
  case contactMatch = "contact_match"
  case simSwap = "sim_swap"
  case portingStatus = "porting_status"
  case portingHistory = "porting_history"
  case numberDeactivation = "number_deactivation"
  case subscriberStatus = "subscriber_status"
  case callForwardDetection = "call_forward_detection"
  case breachedNumberCheck = "breached_number_check"
  case activeCallStatus = "active_call_status"
  case ageVerify = "age_verify"
  case deviceInfo = "device_info"

  /// True for add-ons about the SIM card or the handset.
  fileprivate var needsSIM: Bool { self == .simSwap || self == .deviceInfo }
}

/// One member of `addons` in a request.
struct AddOnRequest {
  /// Any name, not only those of `AddOn`.
  let name: String
  let fields: Fields

  /// More add-ons than the provider has, because unknown ones get a result too.
  private static let maxCount = 100

  /// The add-ons of a request, in its order.
  static func all(in body: RequestBody, _ context: RequestContext) throws -> [AddOnRequest] {
    try checkConsent(body, context)
    guard let addOns = try body.object("addons") else { return [] }
    guard addOns.count <= maxCount else {
      throw APIError.invalidRequest(in: context.format).because(
        "addons: expected at most \(maxCount) members; found \(addOns.count)")
    }
    return try addOns.names.map { name in
      AddOnRequest(name: name, fields: try addOns.optionalObject(name) ?? Fields(.object([])))
    }
  }

  /// A failed add-on does not fail the look-up. Source: contract 10.3.
  func result(for line: LineInfo, _ context: RequestContext) throws -> AddOnResult {
    guard let addOn = AddOn(rawValue: name) else { return .failed(2801) }
    guard !context.settings.disabledAddOns.contains(addOn) else { return .failed(2806) }
    guard line.invalidReason == nil, !addOn.needsSIM || line.phoneType.hasSIM else { return .failed(2804) }
    do {
      return try AddOnLookup(line: line, fields: fields, sandbox: context.sandbox).result(of: addOn)
    } catch is FieldError {
      return .failed(2807)
    }
  }

  /// Validates how and when the user gave consent, which has no effect. Source: contract 10.1.
  private static func checkConsent(_ body: RequestBody, _ context: RequestContext) throws {
    guard let consent = try body.object("consent") else { return }
    let method = try consent.optionalInt("method")
    let time = try consent.optionalString("timestamp")
    guard method.map({ (1...4).contains($0) }) ?? true else {
      throw APIError.invalidRequest(in: context.format).because("consent.method: expected 1 to 4")
    }
    guard time.map({ Timestamp(rfc3339: $0) != nil }) ?? true else {
      throw APIError.invalidRequest(in: context.format).because(
        "consent.timestamp: expected an RFC 3339 timestamp")
    }
  }
}

/// The add-ons of one line; each is in an extension.
struct AddOnLookup {
  let line: LineInfo
  let fields: Fields
  let sandbox: Sandbox

  fileprivate func result(of addOn: AddOn) throws -> AddOnResult {
    switch addOn {
    case .contact: contact
    case .contactPlus: try contactPlus
    case .contactMatch: try contactMatch
    case .ageVerify: try ageVerification
    case .simSwap: simSwap
    case .portingStatus: portingStatus
    case .portingHistory: try portingHistory
    case .deviceInfo: deviceInfo
    case .numberDeactivation: try numberDeactivation
    case .subscriberStatus: subscriberStatus
    case .callForwardDetection: callForwarding
    case .activeCallStatus: try activeCall
    case .breachedNumberCheck: breach
    }
  }

  var subscriber: Subscriber { line.subscriber }
  var now: Timestamp { sandbox.clock.now }
}

enum AddOnResult {
  /// The members of the add-on's object.
  case found([JSON.Member])
  /// A status code, and the parameter that its text names.
  case failed(Int, parameter: String = "")

  var isComplete: Bool {
    if case .found = self { true } else { false }
  }

  /// Writes `status` and the members. Source: contract 10.3.
  func write(to json: inout JSONWriter, _ addOn: String) {
    json.object("status") { json in
      json.member("code", code)
      json.member("description", text(addOn))
    }
    writeMembers(to: &json)
  }

  /// Writes the members without `status`, for the older look-ups.
  func writeMembers(to json: inout JSONWriter) {
    guard case .found(let members) = self else { return }
    for member in members { json.member(named: member.name, member.value) }
  }

  private var code: Int {
    switch self {
    case .found: 2800
    case .failed(let code, _): code
    }
  }

  private func text(_ addOn: String) -> String {
    guard case .failed(let code, let parameter) = self else { return StatusTexts[code] }
    return Placeholders.braces.fill(StatusTexts[code]) { ["addon": addOn, "parameter_name": parameter][$0] }
  }
}
