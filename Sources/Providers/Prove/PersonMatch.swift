import JSON

// Comparing what a client says about a person with a test user's data. Source: contract 7.1.

extension Person {
  /// True if the given names are the person's, in any case. People without a name have any.
  func isNamed(_ firstName: String?, _ lastName: String?) -> Bool {
    func agrees(_ given: String?, _ own: String) -> Bool {
      guard let given, !own.isEmpty else { return true }
      return given.lowercased() == own.lowercased()
    }
    return agrees(firstName, self.firstName) && agrees(lastName, self.lastName)
  }

  /// `date` is `1981-01-17`, `1981-01` or `01-17`. True if the date is not known.
  func isBorn(on date: String) -> Bool {
    guard let birthDate else { return true }
    return birthDate == date || birthDate.hasPrefix(date + "-") || birthDate.hasSuffix("-" + date)
  }

  /// `text` is the whole number or its last four digits. True if the number is not known.
  func hasSSN(_ text: String) -> Bool {
    guard let ssn else { return true }
    return ssn == text || text.utf8.count == 4 && ssn.hasSuffix(text)
  }

  /// `code` is `80161` or `80161-2001`; the first five digits count. True if no address is known.
  func livesIn(postalCode code: String) -> Bool {
    addresses.isEmpty || addresses.contains { $0.postalCode.prefix(5) == code.prefix(5) }
  }
}

extension Person.Address {
  /// `postalCode` is the name of that member, which differs between operations.
  func write(to json: inout JSONWriter, postalCode name: StaticString) {
    if !address.isEmpty { json.member("address", address) }
    if !city.isEmpty { json.member("city", city) }
    if !region.isEmpty { json.member("region", region) }
    if !postalCode.isEmpty { json.member(name, postalCode) }
  }
}
