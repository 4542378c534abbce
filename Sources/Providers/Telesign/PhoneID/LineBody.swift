import Domain
import JSON
import ProviderKit

extension Line {
  /// `phone_type`, `numbering`, `location`, `carrier` and `blocklisting`. Source: contract 10.2.
  func write(to json: inout JSONWriter) {
    writeKind(to: &json)
    json.object("location") { writeLocation(to: &$0) }
    json.object("carrier") { $0.member("name", flaw == nil ? subscriber.operatorName : "") }
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
    let lengths = flaw == nil ? territory?.lengths : nil
    json.member("cleansed_code", cleansingCode)
    json.member("country_code", territory?.callingCode)
    json.member("phone_number", nationalDigits)
    json.member("min_length", lengths?.lowerBound)
    json.member("max_length", lengths?.upperBound)
  }

  /// Numbers of mobile phones belong to no town, and of others the carrier keeps none either.
  private func writeLocation(to json: inout JSONWriter) {
    let territory = flaw == nil ? territory : nil
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
  /// The code, which is a text, and the word. Source: contract 10.2.
  func write(to json: inout JSONWriter) {
    json.member("code", String(rawValue))
    json.member("description", description)
  }
}
