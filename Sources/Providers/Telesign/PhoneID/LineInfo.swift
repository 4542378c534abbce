import ProviderKit

/// A number with the carrier's data about it. Source: contract 10.2 and 15.1.
struct LineInfo {
  /// Why a number is invalid; the raw value is the cleansing code. Source: contract 10.2.
  enum InvalidReason: Int {
    case unknownCallingCode = 103
    case wrongLength = 105
  }

  let number: ParsedNumber
  let subscriber: Subscriber
  /// Nil for an unknown calling code.
  let territory: Territory?
  /// Nil for a valid number.
  let invalidReason: InvalidReason?
  let phoneType: PhoneType
  /// True if the carrier has a record or a rule for the number.
  let isKnown: Bool
  /// True if the number's ending blocks it.
  let isBlocked: Bool

  /// Looks up a number.
  ///
  /// The provider's rules for invalid numbers are not public, and official tests use numbers of no country.
  /// Here a number is invalid if it ends in 0010; or if the carrier does not know it, and its calling code or
  /// length does not exist. A subscriber's record has priority over the number's ending.
  init(of number: ParsedNumber, in sandbox: Sandbox) throws {
    let isRecorded = try sandbox.subscribers.recorded(number.phoneNumber) != nil
    isKnown = try sandbox.subscribers.contains(number.phoneNumber)
    let ending = isRecorded ? nil : number.ending
    let subscriber = try sandbox.subscribers[number.phoneNumber]
    let territory = Territory.of(number.digits, in: subscriber.country)
    let invalidReason =
      ending == .invalid ? .unknownCallingCode : isKnown ? nil : Self.invalidReason(of: number, in: territory)
    self.number = number
    self.subscriber = subscriber
    self.territory = territory
    self.invalidReason = invalidReason
    isBlocked = ending == .blocked
    phoneType = invalidReason != nil ? .invalid : ending == .voip ? .voip : PhoneType(of: subscriber)
  }

  /// The digits after the calling code.
  var nationalDigits: String {
    String(number.digits.dropFirst(territory?.callingCode.utf8.count ?? 0))
  }

  /// How the number was corrected. Source: contract 10.2.
  var cleansingCode: Int { invalidReason?.rawValue ?? (number.hadPlus ? 101 : 100) }

  /// The last change of the SIM card, including a port to another network.
  func lastSwap(by time: Timestamp) -> Timestamp? {
    (subscriber.simSwaps + [subscriber.portedAt].compactMap { $0 }).filter { $0 <= time }.max()
  }

  /// When the number was last out of service: at the end of a period of an owner, or now.
  func lastDeactivation(by time: Timestamp) -> Timestamp? {
    let ends = subscriber.subscriberPeriods.filter { $0.from <= time }.compactMap(\.to)
    return (ends + [subscriber.deactivatedAt].compactMap { $0 }).filter { $0 <= time }.max()
  }

  private static func invalidReason(of number: ParsedNumber, in territory: Territory?) -> InvalidReason? {
    guard let territory else { return .unknownCallingCode }
    let count = number.digits.utf8.count - territory.callingCode.utf8.count
    return territory.lengths.contains(count) ? nil : .wrongLength
  }
}

extension LineInfo {
  /// `phone_type`, `numbering`, `location`, `carrier` and `blocklisting`. Source: contract 10.2.
  func write(to json: inout JSONWriter) {
    writeKind(to: &json)
    json.object("location") { writeLocation(to: &$0) }
    json.object("carrier") { $0.member("name", invalidReason == nil ? subscriber.operatorName : "") }
    json.object("blocklisting") { writeBlocklisting(to: &$0) }
  }

  /// `phone_type` and `numbering`. Source: contract 10.2 and 7.1.
  func writeKind(to json: inout JSONWriter) {
    json.object("phone_type") { phoneType.write(to: &$0) }
    json.object("numbering") { writeNumbering(to: &$0) }
  }

  private func writeNumbering(to json: inout JSONWriter) {
    json.object("original") { json in
      json.member("phone_number", nationalDigits)
      json.member("complete_phone_number", number.digits)
      json.member("country_code", territory?.callingCode)
    }
    json.object("cleansing") { json in
      json.object("call") { writeCleansing(to: &$0) }
      json.object("sms") { writeCleansing(to: &$0) }
    }
  }

  private func writeCleansing(to json: inout JSONWriter) {
    let lengths = invalidReason == nil ? territory?.lengths : nil
    json.member("cleansed_code", cleansingCode)
    json.member("country_code", territory?.callingCode)
    json.member("phone_number", nationalDigits)
    json.member("min_length", lengths?.lowerBound)
    json.member("max_length", lengths?.upperBound)
  }

  /// Mobile numbers belong to no city, and the carrier has none for other numbers either.
  private func writeLocation(to json: inout JSONWriter) {
    let territory = invalidReason == nil ? territory : nil
    json.member("city", territory == nil ? nil : "Countrywide")
    json.null("state")
    json.null("zip")
    json.null("county")
    json.null("metro_code")
    json.object("country") { json in
      json.member("name", territory?.name)
      json.member("iso2", territory?.iso2)
      json.member("iso3", territory?.iso3)
    }
    json.object("coordinates") { json in
      json.null("latitude")
      json.null("longitude")
    }
    json.object("time_zone") { json in
      json.null("name")
      json.member("utc_offset_min", territory?.offsets.least)
      json.member("utc_offset_max", territory?.offsets.greatest)
    }
  }

  private func writeBlocklisting(to json: inout JSONWriter) {
    json.member("blocked", isBlocked)
    json.member("block_code", isBlocked ? 1 : 0)
    json.member("block_description", isBlocked ? "Blocked" : "Not blocked")
  }
}

extension PhoneType {
  /// The code is a string. Source: contract 10.2.
  func write(to json: inout JSONWriter) {
    json.member("code", String(rawValue))
    json.member("description", description)
  }
}

/// The raw value is the provider's code. Source: contract 10.2.
enum PhoneType: Int {
  case fixedLine = 1
  case mobile
  case prepaid
  case tollFree
  case voip
  case pager
  case payphone
  case invalid
  case restricted
  case personal
  case voicemail
  case other = 20
  case email = 30

  var description: String {
    switch self {
    case .fixedLine: "FIXED_LINE"
    case .mobile: "MOBILE"
    case .prepaid: "PREPAID"
    case .tollFree: "TOLL_FREE"
    case .voip: "VOIP"
    case .pager: "PAGER"
    case .payphone: "PAYPHONE"
    case .invalid: "INVALID"
    case .restricted: "RESTRICTED"
    case .personal: "PERSONAL"
    case .voicemail: "VOICEMAIL"
    case .other: "OTHER"
    case .email: "EMAIL"
    }
  }

  /// The provider has no types for premium-rate and shared-cost numbers.
  init(of subscriber: Subscriber) {
    self =
      switch subscriber.lineType {
      case .mobile: subscriber.contract == .payAsYouGo ? .prepaid : .mobile
      case .landline: .fixedLine
      case .fixedVoip, .nonFixedVoip: .voip
      case .tollFree: .tollFree
      case .personal: .personal
      case .pager: .pager
      case .voicemail: .voicemail
      case .premium, .sharedCost, .uan, .unknown: .other
      }
  }

  var hasSIM: Bool { self == .mobile || self == .prepaid }
}
