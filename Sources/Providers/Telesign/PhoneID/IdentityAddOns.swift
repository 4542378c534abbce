import ProviderKit

/// Add-ons about the owner of the number, from the subscriber's `kyc`. Source: contract 10.3.
extension AddOnLookup {
  var contact: AddOnResult {
    let person = subscriber.kyc
    guard !person.isUnknown else { return .failed(2805) }
    let street = [person[.streetNumber], person[.streetName]].compactMap { $0 }.joined(separator: " ")
    return .found([
      .init("id", person[.idDocument]),
      .init("first_name", person[.givenName]),
      .init("last_name", person[.familyName]),
      .init("address1", street.isEmpty ? person[.address] : street),
      .init("address2", person[.houseNumberExtension]),
      .init("address3", person[.locality]),
      .init("address4", person[.postalCode]),
      .init("city", person[.locality]),
      .init("state_province", person[.region]),
      .init("zip_postal_code", person[.postalCode]),
      .init("country", person[.country]),
      .init("email_address", person[.email] ?? subscriber.email),
      .init("date_of_birth", person[.birthdate]),
    ])
  }

  /// The same as `contact`; the request must contain the right postal code.
  var contactPlus: AddOnResult {
    get throws {
      guard let code = try fields.optionalString("billing_postal_code"), !code.isEmpty else {
        return .failed(2808, parameter: "billing_postal_code")
      }
      guard !subscriber.kyc.isUnknown else { return .failed(2805) }
      return subscriber.kyc[.postalCode] == code ? contact : .failed(2809)
    }
  }

  /// How similar the request's fields are to the record, each from 0 to 100, or -1 if one is missing.
  var contactMatch: AddOnResult {
    get throws {
      let person = subscriber.kyc
      let pairs: [(name: String, known: String?)] = [
        ("first_name", person[.givenName]), ("last_name", person[.familyName]),
        ("address", person[.address]), ("city", person[.locality]), ("postal_code", person[.postalCode]),
        ("state", person[.region]), ("country", person[.country]),
      ]
      var scores: [JSON.Member] = []
      var hasField = false
      for (name, known) in pairs {
        let given = try fields.optionalString(name)
        hasField = hasField || given != nil
        scores.append(.init("\(name)_score", Self.score(given, known)))
      }
      guard hasField else { return .failed(2808, parameter: "first_name") }
      return person.isUnknown ? .failed(2805) : .found(scores)
    }
  }

  var ageVerification: AddOnResult {
    get throws {
      guard let threshold = try fields.optionalInt("age_threshold") else {
        return .failed(2808, parameter: "age_threshold")
      }
      guard (0...150).contains(threshold) else { return .failed(2807) }
      guard let birthdate = subscriber.kyc[.birthdate], let born = Self.day(birthdate),
        let today = Self.day(String(now.iso8601.prefix(10)))
      else { return .failed(2805) }
      return .found([.init("age_verified", today - born >= threshold * 10_000)])
    }
  }

  private static func score(_ given: String?, _ known: String?) -> Int {
    guard let given, let known else { return -1 }
    let likeness = Similarity(of: given, and: known)
    return likeness.isSame ? 100 : likeness.score
  }

  /// A day as a number such as 20260105: a difference of 10,000 is a year.
  private static func day(_ text: String) -> Int? {
    guard text.utf8.count == 10, Timestamp(iso8601: text + "T00:00:00Z") != nil else { return nil }
    return Int(text.split(separator: "-").joined())
  }
}
