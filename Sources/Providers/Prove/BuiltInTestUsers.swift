import Domain

extension TestUser {
  /// The provider's test users, and the sandbox's own with numbers from 2001009001. Source: contract 9.
  static let builtIn: [TestUser] = unifyUsers + scriptedUsers + identityUsers + otherUsers

  /// Source: contract 9.1.
  private static let unifyUsers: [TestUser] = [
    unify("+12001004018", "Barbaraanne", "Canet") { $0.skipsDevice = true },
    unify("+2001004029", "Janos", "Martina") { $0.skipsDevice = true },
    unify("+12001004014", "Lorant", "Nerger"),
    unify("+2001004025", "Bertie", "Fremont"),
    unify("+12001004015", "Laney", "Dyball"),
    unify("+2001004026", "Bonnie", "Sidon"),
    unify("+12001004016", "Inge", "Galier") { $0.mobileAuth = .passes },
    unify("+2001004027", "Allissa", "Zoren") { $0.mobileAuth = .passes },
    unify("+12001004017", "Jesse", "Mashro") { $0.mobileAuth = .fails },
    unify("+2001004028", "Wendy", "Strover") { $0.mobileAuth = .fails },
    unify("+12001004041", "Penny", "Jowers") { $0.mobileAuth = .passes },
    unify("+2001004043", "Amii", "Porritt") { $0.mobileAuth = .passes },
  ]

  /// The sandbox's own. Source: contract 9.2.
  private static let scriptedUsers: [TestUser] = [
    unify("+12001009001", "Rita", "Risk") { $0.passesReputation = false },
    unify("+12001009002", "Nora", "Nosend") {
      $0.mobileAuth = .fails
      $0.otp = .notSent
    },
    unify("+12001009003", "Wanda", "Wrongcode") { $0.otp = .fails },
    unify("+12001009004", "Linus", "Latelink") { $0.instantLink = .expires },
    unify("+12001009005", "Ernie", "Error") { $0.start = .internalError },
    unify("+12001009006", "Lizzy", "Limit") { $0.start = .rateLimitedOnce },
  ]

  /// Pre-Fill and Identity. Source: contract 9.3.
  private static let identityUsers: [TestUser] = [
    identity(
      "+12001001695", "Milo", "Pinson", born: "1981-01-17", ssn: "847350596", "mpinsonm@dyndns.org",
      [address("6377 Birchwood Hill", "Littleton", "CO", "80161-2001")]
    ) { $0.skipsDevice = true },
    identity(
      "+12001001693", "Marcia", "Longo", born: "1982-07-19", ssn: "470806227", "mlongok@amazonaws.com",
      [
        address("00 Mallard Park", "New Orleans", "LA", "70165"),
        address("71 Walton Trail", "Memphis", "TN", "38150"),
      ]),
    identity(
      "+12001001688", "Nevin", "Chattey", born: "1980-03-20", ssn: "542742985", "nchatteyf@techcrunch.com",
      [address("9398 Scott Plaza", "Austin", "TX", "78744")], preFillFailure: .challenge),
    identity(
      "+12001001687", "Agretha", "Chene", born: "1994-12-29", ssn: "369956933", "achenee@printfriendly.com",
      [address("4861 Jay Junction", "Boston", "MS", "02208")], preFillFailure: .complete),
    identity(
      "+15550000000", "Cathee", "Simmonett", born: "1962-10-06", ssn: "771240999", "csimmonettj@toplist.cz",
      [address("49 Moulton Plaza", "Athens", "GA", "30610")]
    ) { $0.mobileAuth = .passes },
    identity(
      "+15555555555", "Van", "Moors", born: "1976-01-07", ssn: nil, nil,
      [address("9 Prairie Rose Court", "Columbus", "MS", "39705")]
    ) { $0.mobileAuth = .passes },
    identity(
      "+12001001686", "Tod", "Weedall", born: "1984-12-10", ssn: "565228370", "tweedalld@ehow.com",
      [address("39 South Trail", "San Antonio", "TX", "78285")]),
  ]

  /// Verify and Identity Manager. Source: contract 9.4 and 9.5.
  ///
  /// The provider names Kurt Mathen and Janek Ambrogio without numbers; those from 2001009011 are the
  /// sandbox's own. So are the codes of failures.
  private static let otherUsers: [TestUser] = [
    verify("+12001004049", "Bettina", "Halbert") { $0.assurance.reasons = ["AL2a"] },
    verify("+12001004053", "Elena", "Coldman") {
      $0.assurance.reasons = ["AL2a"]
      $0.additionalIdentities = [
        VerifiedPerson(firstName: "Elias", lastName: "Coldman", assurance: Assurance(level: .minusOne)),
        VerifiedPerson(firstName: "Edda", lastName: "Coldman", assurance: Assurance(level: .minusOne)),
      ]
    },
    verify("+12001004054", "Alf", "Novotni") {
      $0.fail(.zero, ["AL0b"], by: [.noOwnership, .lowTrustScore])
    },
    verify("+12001009011", "Kurt", "Mathen") { $0.fail(.zero, ["AL0b"], by: [.notConfirmed]) },
    verify("+12001009012", "Janek", "Ambrogio") { $0.fail(.minusOne, [], by: [.lowTrustScore]) },
    user("+12001004011", "Sheilakathryn", "Butrimovich", [.verify]) {
      $0.person.birthDate = "1974-12-09"
      $0.person.ssn = "148882298"
      $0.person.emailAddress = "sbutrimovichb@who.int"
      $0.person.addresses = [address("0 Mccormick Trail", "Pittsburgh", "PA", "15205")]
    },
    user("+447968900002", "Rozella", "Kimpton", [.verify]),
    user("+12001004031", "Merla", "Schumacher", [.identityManager]),
    user("+12001004032", "", "", [.identityManager]),
    user("+12001004035", "Jaimie", "Beddo", [.identityManager]),
    user("+12001004036", "Stanly", "Ovid", [.identityManager]),
  ]

  private static func unify(
    _ number: String, _ firstName: String, _ lastName: String,
    _ change: (inout PossessionScript) -> Void = { _ in }
  ) -> TestUser {
    user(number, firstName, lastName, [.unify]) { change(&$0.possession) }
  }

  private static func identity(
    _ number: String, _ firstName: String, _ lastName: String, born birthDate: String, ssn: String?,
    _ emailAddress: String?, _ addresses: [Person.Address], preFillFailure: PreFillFailure = .none,
    _ change: (inout PossessionScript) -> Void = { _ in }
  ) -> TestUser {
    user(number, firstName, lastName, [.identity]) { user in
      user.person.birthDate = birthDate
      user.person.ssn = ssn
      user.person.emailAddress = emailAddress
      user.person.addresses = addresses
      user.preFillFailure = preFillFailure
      change(&user.possession)
    }
  }

  private static func verify(
    _ number: String, _ firstName: String, _ lastName: String, _ change: (inout VerifyScript) -> Void
  ) -> TestUser {
    user(number, firstName, lastName, [.verify]) { change(&$0.verify) }
  }

  private static func user(
    _ number: String, _ firstName: String, _ lastName: String, _ solutions: [Solution],
    _ change: (inout TestUser) -> Void = { _ in }
  ) -> TestUser {
    var user = TestUser()
    user.number = number
    user.solutions = solutions
    user.person.firstName = firstName
    user.person.lastName = lastName
    change(&user)
    return user
  }

  private static func address(
    _ address: String, _ city: String, _ region: String, _ postalCode: String
  ) -> Person.Address {
    Person.Address(address: address, city: city, region: region, postalCode: postalCode)
  }
}

extension VerifyScript {
  fileprivate mutating func fail(_ level: Assurance.Level, _ reasons: [String], by codes: [FraudCode]) {
    passes = false
    assurance = Assurance(level: level, reasons: reasons)
    failures = codes
  }
}
