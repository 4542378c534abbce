import Domain
import JSON
import ProviderKit

/// What a look-up can tell besides. Source: contract 10.3.
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

  /// Whether it is about a SIM card or a handset, which other phones have not.
  fileprivate var needsCard: Bool { self == .simSwap || self == .deviceInfo }
}

/// An add-on as a request orders it.
struct AddOnOrder {
  /// Its name, be it one or not.
  let name: String
  /// What the request says with it.
  let fields: Fields

  /// The orders of a request, in its order.
  static func all(in submission: Submission, _ call: Call) throws -> [AddOnOrder] {
    try checkConsent(submission, call)
    guard let addOns = try submission.object("addons") else { return [] }
    return try addOns.names.map { name in
      AddOnOrder(name: name, fields: try addOns.optionalObject(name) ?? Fields(.object([])))
    }
  }

  /// What comes of it for a line. A failure is no failure of the whole. Source: contract 10.3.
  func result(for line: Line, _ call: Call) throws -> AddOnResult {
    guard let addOn = AddOn(rawValue: name) else { return .failed(2801) }
    guard !call.settings.disabledAddOns.contains(name) else { return .failed(2806) }
    guard line.flaw == nil, !addOn.needsCard || line.phoneType.hasCard else { return .failed(2804) }
    let asked = AddOnQuestion(line: line, fields: fields, sandbox: call.sandbox)
    do {
      return try asked.answer(to: addOn)
    } catch is FieldError {
      return .failed(2807)
    }
  }

  /// How and when the person has agreed, where that is said. Source: contract 10.1.
  private static func checkConsent(_ submission: Submission, _ call: Call) throws {
    guard let consent = try submission.object("consent") else { return }
    let method = try consent.optionalInt("method")
    let time = try consent.optionalString("timestamp")
    guard method.map({ (1...4).contains($0) }) ?? true else {
      throw Problem.invalidRequest(in: call.family).because("consent.method: expected 1 to 4")
    }
    guard time.map({ Timestamp(rfc3339: $0) != nil }) ?? true else {
      throw Problem.invalidRequest(in: call.family).because(
        "consent.timestamp: expected a time of RFC 3339")
    }
  }
}

/// A question to the carrier: about which line, with what said by the request.
struct AddOnQuestion {
  let line: Line
  let fields: Fields
  let sandbox: Sandbox

  /// The carrier's answer.
  fileprivate func answer(to addOn: AddOn) throws -> AddOnResult {
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

  /// The carrier's facts.
  var subscriber: Subscriber { line.subscriber }
  /// The sandbox's time.
  var now: Timestamp { sandbox.clock.now }
}

/// What an add-on has to say, or the number of why it has nothing.
enum AddOnResult {
  /// Members of its object.
  case found([JSON.Member])
  /// Why not, and the parameter at fault where one is.
  case failed(Int, parameter: String = "")

  /// Whether there is an answer.
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

  /// Writes the members alone, as the older look-ups have them.
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
    guard case .failed(let code, let parameter) = self else { return statusText(code) }
    return statusText(code)
      .replacing("{addon}", with: addOn).replacing("{parameter_name}", with: parameter)
  }
}

extension JSON.Member {
  /// A text, or null.
  init(_ name: String, _ text: String?) {
    self.init(name: name, value: text.map(JSON.string) ?? .null)
  }

  /// Yes or no, or null.
  init(_ name: String, _ flag: Bool?) {
    self.init(name: name, value: flag.map(JSON.bool) ?? .null)
  }

  /// A number, or null.
  init(_ name: String, _ number: Int?) {
    self.init(name: name, value: number.map { .integer(Int64($0)) } ?? .null)
  }
}
