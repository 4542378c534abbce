import ProviderKit

// The resource `/ni`. Source: contract 10; the members are those of the provider's Python client.

func numberInsight(_ context: LegacyContext, _ level: NumberInsight.Level) throws -> Response {
  let insight = try NumberInsight(context, level)
  guard level == .asynchronous else { return .json(200, insight.encoded) }
  let url = try context.fields["callback"] ?? ""
  guard AbsoluteURL(url) != nil else {
    throw LegacyError.invalid("callback", "expected an http or https URL")
  }
  try context.sandbox.webhooks.enqueue(
    WebhookDraft(
      provider: VonageProvider.name, url: url, kind: StatusKind.numberInsight.rawValue, subject: 0,
      detail: String(decoding: insight.encoded, as: UTF8.self)))
  return .json(200) { json in
    json.member("request_id", insight.requestID)
    json.member("number", insight.digits)
    json.member("remaining_balance", NumberInsight.balance)
    json.member("request_price", level.price)
    json.member("status", 0)
    json.member("error_text", "Success")
  }
}

/// What is known about a number. Source: contract 10.
struct NumberInsight {
  enum Level: String, CaseIterable {
    case basic
    case standard
    case advanced
    case asynchronous

    var path: Pattern {
      Pattern(stringLiteral: self == .asynchronous ? "/ni/advanced/async/json" : "/ni/\(rawValue)/json")
    }

    var operation: String { "\(rawValue)Insight" }

    /// In euros; the sandbox's choice.
    fileprivate var price: String {
      switch self {
      case .basic: "0.00000000"
      case .standard: "0.00500000"
      case .advanced, .asynchronous: "0.03000000"
      }
    }
  }

  fileprivate static let balance = "10.00000000"

  let requestID: String
  private let level: Level
  private let line: Subscriber
  private let isKnown: Bool
  private let showsName: Bool
  private let showsRealTimeData: Bool

  init(_ context: LegacyContext, _ level: Level) throws {
    let sandbox = context.sandbox
    let text = try context.fields["number"] ?? ""
    let country = try context.fields["country"]
    func refuse(_ why: String) -> LegacyError {
      LegacyError(.invalid, "Invalid request :: Not valid number format detected [ \(text.prefix(50)) ]")
        .because(why)
    }
    let number: PhoneNumber
    do throws(NumberProblem) {
      number = try LegacyFields.number(text, of: country)
    } catch {
      throw refuse("\(error.field): \(error.why)")
    }
    self.level = level
    requestID = UUIDText.version4(sandbox.requestIdentifier("vonage number insight"))
    line = try sandbox.subscribers[number]
    isKnown = !line.isDeactivated(at: sandbox.clock.now)
    // Names are known of numbers in the United States only. Source: contract 10.
    showsName = try context.fields["cnam"]?.lowercased() == "true" && line.country == "US"
    showsRealTimeData =
      try context.fields["real_time_data"]?.lowercased() == "true" && level == .advanced
    let validity = try sandbox.numbers.validity(of: number)
    guard validity == .valid else { throw refuse(NumberPlan.explanation(of: validity, number)) }
  }

  /// Without a plus sign.
  var digits: String { String(line.number.description.dropFirst()) }

  var encoded: [UInt8] {
    JSONWriter.object { json in
      json.member("status", 0)
      json.member("status_message", "Success")
      json.member("request_id", requestID)
      writeNumber(to: &json)
      guard level != .basic else { return }
      json.member("request_price", level.price)
      json.member("refund_price", "0.00000000")
      json.member("remaining_balance", Self.balance)
      writeNetworks(to: &json)
      if showsName {
        json.object("caller_identity") { json in
          writeCaller(to: &json)
          json.member("subscription_type", line.contract == .payAsYouGo ? "prepaid" : "postpaid")
        }
        writeCaller(to: &json)
      }
      guard level != .standard else { return }
      writeState(to: &json)
    }
  }

  private func writeNumber(to json: inout JSONWriter) {
    let territory = Territory.of(digits, in: line.country)
    json.member("international_format_number", digits)
    json.member("national_format_number", line.number.nationalFormat)
    json.member("country_code", line.country ?? territory?.iso2)
    json.member("country_code_iso3", territory?.iso3)
    json.member("country_name", territory?.name)
    json.member("country_prefix", territory?.callingCode)
  }

  private func writeNetworks(to json: inout JSONWriter) {
    json.object("current_carrier") { writeCarrier(line.mcc + line.mnc, line.operatorName, to: &$0) }
    let original = line.originalMCC + line.originalMNC
    json.object("original_carrier") {
      // The record has the name of the present network only.
      writeCarrier(original, original == line.mcc + line.mnc ? line.operatorName : nil, to: &$0)
    }
    json.member("ported", line.ported ? "ported" : "not_ported")
  }

  private func writeCarrier(_ code: String, _ name: String?, to json: inout JSONWriter) {
    json.member("network_code", code)
    json.member("name", name ?? "unknown")
    json.member("country", line.country)
    json.member("network_type", networkType)
  }

  private var networkType: String {
    switch line.lineType {
    case .mobile, .personal: "mobile"
    case .landline, .sharedCost, .voicemail, .uan: "landline"
    case .fixedVoip, .nonFixedVoip: "virtual"
    case .tollFree: "landline_tollfree"
    case .premium: "landline_premium"
    case .pager: "pager"
    case .unknown: "unknown"
    }
  }

  /// Source: contract 10: what is not known of a person is `unknown`.
  private func writeCaller(to json: inout JSONWriter) {
    let person = line.kyc
    let names = [person[.givenName], person[.familyName]].compactMap { $0 }
    let name = names.isEmpty ? person[.name] : names.joined(separator: " ")
    json.member("caller_type", name == nil ? "unknown" : line.contract == .business ? "business" : "consumer")
    json.member("caller_name", name ?? "unknown")
    json.member("first_name", person[.givenName] ?? "unknown")
    json.member("last_name", person[.familyName] ?? "unknown")
  }

  /// Source: contract 10.
  private func writeState(to json: inout JSONWriter) {
    let isMobile = line.lineType == .mobile
    json.member("lookup_outcome", 0)
    json.member("lookup_outcome_message", "Success")
    json.member("valid_number", isMobile ? (isKnown ? "valid" : "not_valid") : "unknown")
    json.member("reachable", isMobile ? reachability : "unknown")
    if isMobile {
      json.object("roaming") { writeRoaming(to: &$0) }
    } else {
      json.member("roaming", "unknown")
    }
    if showsRealTimeData {
      json.object("real_time_data") { json in
        json.member("active_status", "inactive")
        json.member("handset_status", "off")
      }
    }
  }

  /// The record names the country of the visited network and no more: its code ends in 99 and its name is the
  /// sandbox's choice.
  private func writeRoaming(to json: inout JSONWriter) {
    json.member("status", line.roaming.isOn ? "roaming" : "not_roaming")
    guard line.roaming.isOn else { return }
    let country = line.roaming.countries.first
    json.member("roaming_country_code", country ?? "unknown")
    json.member("roaming_network_code", line.roaming.mcc.map { $0 + "99" } ?? "unknown")
    json.member("roaming_network_name", country.map { "Sandbox Mobile \($0)" } ?? "unknown")
  }

  private var reachability: String {
    if !isKnown { return "bad_number" }
    if line.suspended || line.barring.contains(.smsIn) { return "undeliverable" }
    return line.reach.sms || line.reach.data ? "reachable" : "absent"
  }
}
