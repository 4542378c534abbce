package import JSON

/// The holder of a line on the carrier: what the network knows of one number. Source: `carrier.md` 4.2.
package struct Subscriber: Equatable, Sendable {
  /// What kind of line carries a number. Source: `carrier.md` 1.4.
  package enum LineType: String, CaseIterable, Sendable {
    /// A SIM card in a handset.
    case mobile
    /// A fixed line.
    case landline
    /// Voice over IP at a known address.
    case fixedVoip = "fixed_voip"
    /// Voice over IP anywhere.
    case nonFixedVoip = "non_fixed_voip"
    /// Free for the caller.
    case tollFree = "toll_free"
    /// Dear for the caller.
    case premium
    /// Paid in part by the called.
    case sharedCost = "shared_cost"
    /// Follows a person.
    case personal
    /// A pager.
    case pager
    /// A voice mailbox.
    case voicemail
    /// A universal access number.
    case uan
    /// Nobody knows.
    case unknown
  }

  /// The number of the line.
  package let number: PhoneNumber
  /// A code that every verification of this number uses; nil: codes follow from the entropy.
  package var code: String?
  /// The kind of line.
  package var lineType = LineType.mobile
  /// The network's name; fictional.
  package var operatorName = "Sandpiper Mobile"
  /// ISO 3166-1 alpha-2, where it was said; nil: as the number tells.
  package private(set) var statedCountry: String?
  /// Mobile country code; 001 is the test network.
  package var mcc = "001"
  /// Mobile network code.
  package var mnc = "01"
  /// Whether texts reach the handset now.
  package var receivesTexts = true

  /// A happy mobile line: what a number is of which nothing was said. Source: `carrier.md` 4.3.
  package init(happyLineOf number: PhoneNumber) {
    self.number = number
  }

  /// ISO 3166-1 alpha-2; nil where neither a record nor the number tells.
  package var country: String? { statedCountry ?? number.country }

  /// Changes what `fields` name, and leaves the rest.
  package mutating func merge(_ fields: Fields) throws(FieldError) {
    if let code = try fields.optionalString("code") {
      guard (4...10).contains(code.utf8.count) else {
        throw fields.mismatch("code", expected: "4 to 10 characters")
      }
      self.code = code
    } else if fields.has("code") {
      code = nil
    }
    if let word = try fields.optionalString("lineType") {
      guard let known = LineType(rawValue: word) else {
        let words = LineType.allCases.map(\.rawValue).joined(separator: ", ")
        throw fields.mismatch("lineType", expected: "one of \(words)")
      }
      lineType = known
    }
    operatorName = try fields.optionalString("operator") ?? operatorName
    statedCountry = try fields.optionalString("country") ?? statedCountry
    if statedCountry == number.country { statedCountry = nil }
    mcc = try fields.optionalString("mcc") ?? mcc
    mnc = try fields.optionalString("mnc") ?? mnc
    if let reach = try fields.optionalObject("reach") {
      receivesTexts = try reach.optionalBool("sms") ?? receivesTexts
    }
  }

  /// Writes the record as the control API and seeds have it.
  package func write(to json: inout JSONWriter) {
    json.member("number", number.description)
    json.member("code", code)
    json.member("lineType", lineType.rawValue)
    json.member("operator", operatorName)
    json.member("country", country)
    json.member("mcc", mcc)
    json.member("mnc", mnc)
    json.object("reach") { $0.member("sms", receivesTexts) }
  }
}
